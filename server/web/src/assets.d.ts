/** The bundler makes each of these imports the address of a file, relative to the script. */
declare module '*.json?url' {
  const url: string
  export default url
}
declare module '*.css'
