import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tierOf } from './tiers.ts'

const table = join(import.meta.dirname, 'proof-seconds.json')
const measured: Readonly<Record<string, number>> = existsSync(table)
  ? (JSON.parse(readFileSync(table, 'utf8')) as Record<string, number>)
  : {}

/** Paths of the proofs that were measured. */
export const measuredProofs: readonly string[] = Object.keys(measured)

/** A proof that was never measured is taken for a long one. */
const unknown = 60

/** Seconds that a proof took when `npm run proof -- --measure` last ran, among others on two cores. */
export const secondsOfProof = (path: string): number => measured[path] ?? unknown

/** Stores what the proofs among these files took, rounded to seconds, in the order of their paths. */
export const storeProofSeconds = (seconds: ReadonlyMap<string, number>): void => {
  const rows = [...seconds]
    .filter(([path]) => tierOf(path) === 'proof')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, took]) => [path, Math.ceil(took)])
  writeFileSync(table, `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`)
}
