import { z } from 'zod'
import type { OpenSiteParts } from '../site.ts'
import { object, text } from '../source/cells.ts'
import { rowsOf } from './rows.ts'
import { keyRows, tokenName } from './tokens.ts'

/** Models by the names that stand for them. */
export type Aliases = ReadonlyMap<string, string>

const none: Aliases = new Map()

const modelTableRow = z.object({ id: text, aliases: object })
const teamRow = z.object({ team_id: text, model_id: text })

/** Entries whose value is the name of a model. */
export const aliasesIn = (values: Readonly<Record<string, unknown>>): Aliases =>
  new Map(
    Object.entries(values).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '' && entry[1] !== entry[0],
    ),
  )

/** A key with names of its own. */
export interface KeyAliases {
  /** Hash of the key. */
  readonly token: string
  readonly name: string
  readonly teamId: string
  readonly aliases: Aliases
}

/** Names that single teams and keys have for models. */
export interface OwnAliases {
  readonly teams: ReadonlyMap<string, Aliases>
  readonly keys: readonly KeyAliases[]
  ofTeam(teamId: string): Aliases
}

export const readOwnAliases = async (parts: OpenSiteParts): Promise<OwnAliases> => {
  const tables = await rowsOf(parts, { table: 'LiteLLM_ModelTable', column: 'id', shape: modelTableRow })
  const byTable = new Map(tables.map(({ id, aliases }) => [id, aliasesIn(aliases)]))
  const teamRows = await rowsOf(parts, { table: 'LiteLLM_TeamTable', column: 'team_id', shape: teamRow })
  const teams = new Map(
    teamRows.flatMap(({ team_id: id, model_id: table }): [string, Aliases][] => {
      const aliases = byTable.get(table)
      return aliases === undefined || aliases.size === 0 ? [] : [[id, aliases]]
    }),
  )
  const keys: KeyAliases[] = []
  for await (const rows of keyRows(parts)) {
    for (const row of rows) {
      const aliases = aliasesIn(row.aliases)
      if (aliases.size > 0) keys.push({ token: row.token, name: tokenName(row), teamId: row.team_id, aliases })
    }
  }
  return { teams, keys, ofTeam: (id) => teams.get(id) ?? none }
}
