import { AsyncLocalStorage } from 'node:async_hooks'

/** Writes a line of the log. */
export type WarnOfStep = (event: string, fields: Readonly<Record<string, unknown>>) => void

const current = new AsyncLocalStorage<WarnOfStep>()

/** Runs `work`, in which steps write to this log: the migrator hands a step nothing but its connection. */
export const withMigrationLog = <T>(warn: WarnOfStep, work: () => Promise<T>): Promise<T> => current.run(warn, work)

/** The log of the migration that is under way; one that drops its lines where nobody gave one. */
export const migrationWarn = (): WarnOfStep => current.getStore() ?? (() => {})
