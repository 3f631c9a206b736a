import { dirname, relative, sep } from 'node:path'

const address = (path: string): string => path.split(sep).join('/')

/**
 * Makes a module's references to its own place, `import.meta.url` and the like, true in a bundle in `folder`: they name the module's
 * source, beside which threads and files are found. A module without such references stays as it is.
 */
export const withSourcePlaces = (code: string, module: string, folder: string): string | undefined => {
  if (!/import\.meta\.(url|dirname|filename)\b/.test(code)) return undefined
  const placeOf = (path: string): string => `new URL('${address(relative(folder, path))}', import.meta.url)`
  const places = {
    url: `${placeOf(module)}.href`,
    filename: `pathOfSource(${placeOf(module)})`,
    dirname: `pathOfSource(${placeOf(dirname(module))})`,
  }
  const moved = code.replaceAll(
    /import\.meta\.(url|dirname|filename)\b/g,
    (_, kind: keyof typeof places) => places[kind],
  )
  return `import { fileURLToPath as pathOfSource } from 'node:url'\n${moved}`
}

/** The same program in ASCII, since V8 keeps a text with a single other character in twice the memory. */
export const inAscii = (code: string): string =>
  code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
