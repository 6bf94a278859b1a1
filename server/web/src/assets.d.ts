/** The bundler makes each of these imports the address of a file, relative to the script. */
declare module '*.json?url' {
  const url: string
  export default url
}
declare module '*.css'
/** The bundler makes this import the text of the file. */
declare module '*.css?text' {
  const styles: string
  export default styles
}
declare module '*.ts?url' {
  /** The address of the module as a script, relative to the script of the page. */
  const address: string
  export default address
}
