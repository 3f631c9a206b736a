import type { Source } from '../source/source.ts'

export type PanelProduct = 'new-api' | 'one-api'

/** Columns that only one of the two programs makes, in all versions that have tables of this kind. */
const marks: Readonly<Record<PanelProduct, readonly (readonly [table: string, column: string])[]>> = {
  'new-api': [
    ['users', 'aff_quota'],
    ['tokens', 'model_limits'],
  ],
  'one-api': [
    ['tokens', 'subnet'],
    ['channels', 'config'],
  ],
}

const hasMarks = async (source: Source, product: PanelProduct): Promise<boolean> => {
  for (const [table, column] of marks[product]) if ((await source.columns(table)).has(column)) return true
  return false
}

/**
 * Refuses the database of the other program: its numbers for types of channels mean other providers. One that a program took over from
 * the other has the columns of both, and one of 2023 may have none; the operator's word counts there.
 */
export const refuseOtherPanel = async (source: Source, product: PanelProduct): Promise<void> => {
  const other = product === 'new-api' ? 'one-api' : 'new-api'
  if (!(await hasMarks(source, other)) || (await hasMarks(source, product))) return
  throw new Error(`This is a database of ${other}, not of ${product}: import it as ${other}.`)
}
