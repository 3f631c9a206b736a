/** Runs a command and answers its exit code; undefined for one that goes on after it has begun, such as a server. */
export type Run = (args: readonly string[]) => Promise<number | undefined>

/** A subcommand of `tollgate`; those of a module are `commands` of `modules/<name>/server/commands.ts`. */
export interface ModuleCommand {
  readonly name: string
  /** Its place in `tollgate help`, the lowest first. */
  readonly position: number
  /** One line for `tollgate help`. */
  readonly summary: string
  /** Loads the code, so that no command pays for another. */
  readonly load: () => Promise<Run>
}
