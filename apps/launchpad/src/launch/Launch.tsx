const Launch = () => <p></p>
export default Launch
