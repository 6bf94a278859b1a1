// Fails if modules of src import one another in a circle. Types and import() count, too: a person who reads a circle
// must read all its files at once.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, 'src'))

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => join(folder, file))

/** What each file imports, of the files in the folder. */
const imports = new Map(
  files.map((file) => [
    file,
    ts
      .preProcessFile(readFileSync(file, 'utf8'))
      .importedFiles.map(({ fileName }) => resolve(dirname(file), fileName))
      .filter((imported) => files.includes(imported)),
  ]),
)

/** circles returns the largest sets of files in which each file reaches each other file (Tarjan's algorithm). */
function circles(): string[][] {
  const found: string[][] = []
  const numbers = new Map<string, number>()
  const stack: string[] = []
  /** visit returns the lowest number on the stack that the file reaches. */
  const visit = (file: string): number => {
    const number = numbers.size
    numbers.set(file, number)
    const height = stack.push(file) - 1
    let lowest = number
    for (const imported of imports.get(file)!) {
      if (!numbers.has(imported)) lowest = Math.min(lowest, visit(imported))
      else if (stack.includes(imported)) lowest = Math.min(lowest, numbers.get(imported)!)
    }
    if (lowest === number) {
      const circle = stack.splice(height)
      if (circle.length > 1 || imports.get(file)!.includes(file)) found.push(circle)
    }
    return lowest
  }
  for (const file of files) if (!numbers.has(file)) visit(file)
  return found
}

const found = circles()
for (const circle of found) {
  console.error(`${circle.length} files import one another in a circle:`)
  for (const file of circle.sort()) {
    const others = imports.get(file)!.filter((imported) => circle.includes(imported))
    console.error(`  ${relative(folder, file)} imports ${others.map((other) => relative(folder, other)).join(', ')}`)
  }
}
if (found.length > 0) process.exitCode = 1
