import type { StaffArea } from '../accounts/permissions.ts'
import type { ErrorText } from '../errors/error-text.ts'

/** Which area of administrators the calls below a path belong to; `shared` is open to all of them. */
export type CallArea = readonly [path: string, area: StaffArea | 'shared']

/** The plain data of a module (`modules/<name>/module.ts`), which server, console and documents read. */
export interface ModuleData {
  readonly areas: readonly CallArea[]
  /** Errors that its calls answer, by code. */
  readonly errors: Readonly<Record<string, ErrorText>>
  /** Events of its log lines, each with a sentence for the reference page. */
  readonly logEvents: Readonly<Record<string, string>>
}
