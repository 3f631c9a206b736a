import type { StaffArea } from '../accounts/permissions.ts'
import type { OwnArea } from '../accounts/scopes.ts'
import type { ErrorText } from '../errors/error-text.ts'

/** Which area of administrators the calls below a path belong to; `shared` is open to all of them. */
export type CallArea = readonly [path: string, area: StaffArea | 'shared']

/** The plain data of a module (`modules/<name>/module.ts`), which server, console and documents read. */
export interface ModuleData {
  readonly areas: readonly CallArea[]
  /** Which area of users the calls below a path belong to; `names` are lists of models and groups, open to every token; `sign_in` is closed to all of them. */
  readonly ownAreas?: readonly (readonly [path: string, area: OwnArea | 'names' | 'sign_in'])[]
  /** Names of its ways to sign in among the methods by which people confirm who they are. */
  readonly signInMethods?: readonly string[]
  /** Its tables that stay small however many calls, users and years a site has. */
  readonly smallTables?: readonly string[]
  /** Tables and charts with saved views on its screens that every user may open, by the name in the preferences. */
  readonly openTables?: readonly string[]
  /** Environment variables that its server part reads: `config.ofModules` has their texts. */
  readonly variables?: readonly string[]
  /** Errors that its calls answer, by code. */
  readonly errors: Readonly<Record<string, ErrorText>>
  /** Events of its log lines, each with a sentence for the reference page. */
  readonly logEvents: Readonly<Record<string, string>>
  /** Options that switch it, where it has to do with calls: a plain call is traced with them off, and on for other calls. */
  readonly switches?: ModuleSwitches
}

/** Values of options, as `PUT /api/option/` takes them. */
export interface ModuleSwitches {
  readonly off: Readonly<Record<string, string>>
  readonly on: Readonly<Record<string, string>>
}
