const Portfolio = ({ address }: { readonly address: string | undefined }) => <p>{address}</p>
export default Portfolio
