const Token = ({ mint }: { readonly mint: string }) => <p>{mint}</p>
export default Token
