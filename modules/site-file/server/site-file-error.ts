/** A path inside a site file, from its root. */
export type FilePath = readonly (string | number)[]

/** Something in a site file that cannot be used. */
export interface FileProblem {
  readonly path: FilePath
  readonly message: string
}

/** Problems of a site file; its message has a line `file:line: where: what` for each. */
export class SiteFileError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.name = 'SiteFileError'
  }
}
