import {
  exportOwnStatement,
  exportSiteStatement,
  exportUserStatement,
  getOwnStatement,
  getSiteStatement,
  getUserStatement,
  type Statement,
  type User,
} from '@tollgate/contract'
import type { ConsoleCaller, FileAnswer, On } from '#server/http/route.ts'
import { AppError } from '#server/lib/app-error.ts'
import { statementCsv } from './csv.ts'
import { siteCsv } from './site-csv.ts'
import { openStatements, type StatementOwner, type StatementParts } from './statement.ts'

interface Viewer {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly ip: string
}

export interface StatementRouteParts extends StatementParts {
  /** The user as admins see it, cancelled ones included. Throws AppError when this viewer may not. */
  show(viewer: Viewer, id: number): Promise<User>
}

/** Files of the whole site read every user, so a few at a time are enough for one node. */
const mostAtOnce = 2

const fileOf = (statement: Statement, name: string, parts: AsyncIterable<string>): FileAnswer => ({
  name: `${name}-${statement.month}.csv`,
  type: 'text/csv; charset=utf-8',
  parts,
})

const viewerOf = ({ caller, ip }: { caller: ConsoleCaller; ip: string }): Viewer => ({
  id: caller.id,
  username: caller.username,
  role: caller.role,
  ip,
})

/** Statements of a month: the own one, those of users for administrators, and the one of the site. */
export const statementRoutes = (on: On, parts: StatementRouteParts): void => {
  const statement = openStatements(parts)
  let running = 0

  const theirs = async (viewer: Viewer, id: number): Promise<StatementOwner> => {
    const { username, display_name, DeletedAt } = await parts.show(viewer, id)
    return { id, username, display_name, deleted: DeletedAt !== null }
  }

  const own = async ({ id, username }: ConsoleCaller): Promise<StatementOwner> => {
    const row = parts.database.query.selectFrom('users').select('display_name').where('id', '=', id)
    const { display_name } = (await row.executeTakeFirst()) ?? { display_name: username }
    return { id, username, display_name, deleted: false }
  }

  const counted = async function* (lines: AsyncIterable<string>): AsyncGenerator<string> {
    running += 1
    try {
      yield* lines
    } finally {
      running -= 1
    }
  }

  on(getOwnStatement, async ({ caller, query }) => ({ data: await statement(await own(caller), query) }))
  on(exportOwnStatement, async ({ caller, query }) => {
    const month = await statement(await own(caller), query)
    return { file: fileOf(month, 'statement', statementCsv(month)) }
  })
  on(getUserStatement, async (call) => ({
    data: await statement(await theirs(viewerOf(call), call.params.id), call.query),
  }))
  on(exportUserStatement, async (call) => {
    const month = await statement(await theirs(viewerOf(call), call.params.id), call.query)
    return { file: fileOf(month, `statement-${call.params.id}`, statementCsv(month)) }
  })
  on(getSiteStatement, async ({ query }) => ({ data: await statement(undefined, query) }))
  on(exportSiteStatement, async ({ query }) => {
    if (running >= mostAtOnce) throw new AppError('export_running')
    const month = await statement(undefined, query)
    return { file: fileOf(month, 'statement-site', counted(siteCsv(parts.database, month, month.quota_per_unit))) }
  })
}
