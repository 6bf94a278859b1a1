// What the JSX of each file becomes calls of. The bundler adds this import; see bundle/main.go.
export { h, Fragment } from 'preact'
