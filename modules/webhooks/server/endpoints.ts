import { mostWebhooks, type Webhook, type WebhookChange } from '@tollgate/contract'
import type { Selectable, Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { insertReturningId } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import type { Trace } from '#server/db/trace.ts'
import type { Actor } from '#server/http/actor.ts'
import { AppError } from '#server/lib/app-error.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { EgressGuard } from '#server/lib/security/egress.ts'
import type { Secrets } from '#server/lib/security/secrets.ts'
import { newWebhookSecret } from '#server/lib/security/webhook-signature.ts'
import { eventsIn } from './events.ts'
import type { WebhookEndpointsTable } from './tables.ts'

export type EndpointRow = Selectable<WebhookEndpointsTable>

export interface EndpointParts {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly secrets: Pick<Secrets, 'encrypt'>
  /** For addresses that users typed. */
  readonly egress: Pick<EgressGuard, 'check'>
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  readonly clock: Clock
}

type WithSecret = Webhook & { readonly secret: string }

/** Webhook endpoints of users. All but `list` and `create` throw AppError `webhook_not_found` for those of others. */
export interface Endpoints {
  /** Oldest first. */
  list(userId: number): Promise<Webhook[]>
  /** Throws AppError `webhooks_full`, and for an address that may not be called. */
  create(actor: Actor, change: WebhookChange): Promise<WithSecret>
  /** Throws AppError for an address that may not be called. */
  update(actor: Actor, id: number, change: WebhookChange): Promise<Webhook>
  remove(actor: Actor, id: number): Promise<void>
  rotate(actor: Actor, id: number): Promise<WithSecret>
  find(userId: number, id: number): Promise<EndpointRow>
}

const shown = ({ id, name, url, events, enabled, created_time }: Omit<EndpointRow, 'user_id' | 'secret_cipher'>) => ({
  id,
  name,
  url,
  events: eventsIn(events),
  enabled: enabled === 1,
  created_time,
})

/** Addresses may carry tokens: the audit log has the host alone. */
const facts = ({ name, url, events, enabled }: WebhookChange) => ({
  name,
  host: URL.canParse(url) ? new URL(url).host : '',
  events: [...events],
  enabled,
})

const columnsOf = ({ name, url, events, enabled }: WebhookChange) => ({
  name,
  url,
  events: events.join(),
  enabled: enabled ? 1 : 0,
})

export const openEndpoints = ({ database, secrets, egress, audit, clock }: EndpointParts): Endpoints => {
  type Reads = Pick<Database['query'], 'selectFrom'>

  const find = async (userId: number, id: number, on: Reads = database.query): Promise<EndpointRow> => {
    const row = await on
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (row === undefined) throw new AppError('webhook_not_found')
    return row
  }

  const traceOf = (
    { id, username, ip }: Actor,
    verb: string,
    change: { readonly objectId: number; readonly before: object; readonly after: object },
  ): Trace => ({
    actor: { id, username },
    action: `webhook.${verb}`,
    object: 'webhook',
    objectId: change.objectId,
    before: { ...change.before },
    after: { ...change.after },
    ip,
  })

  const mayCall = async (url: string): Promise<void> => {
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:') throw new AppError('webhook_url_invalid')
    await egress.check(url)
  }

  return {
    find: (userId, id) => find(userId, id),

    async list(userId) {
      const rows = await database.query
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute()
      return rows.map(shown)
    },

    async create(actor, change) {
      await mayCall(change.url)
      const secret = newWebhookSecret()
      return database.transaction(async (trx) => {
        const columns = { ...columnsOf(change), created_time: unixSeconds(clock) }
        const secret_cipher = secrets.encrypt('webhook', secret)
        const row = { ...columns, user_id: actor.id, secret_cipher }
        const id = await insertReturningId(trx, 'webhook_endpoints', row)
        const { count } = await trx
          .selectFrom('webhook_endpoints')
          .select(({ fn }) => fn.countAll().as('count'))
          .where('user_id', '=', actor.id)
          .executeTakeFirstOrThrow()
        if (Number(count) > mostWebhooks) throw new AppError('webhooks_full', { params: { most: mostWebhooks } })
        await audit.record(traceOf(actor, 'create', { objectId: id, before: {}, after: facts(change) }), trx)
        return { ...shown({ id, ...columns }), secret }
      })
    },

    async update(actor, id, change) {
      const { url } = await find(actor.id, id)
      if (url !== change.url) await mayCall(change.url)
      return database.transaction(async (trx) => {
        const row = await find(actor.id, id, trx)
        const columns = columnsOf(change)
        await trx.updateTable('webhook_endpoints').set(columns).where('id', '=', id).execute()
        const before = facts(shown(row))
        await audit.record(traceOf(actor, 'update', { objectId: id, before, after: facts(change) }), trx)
        return shown({ ...row, ...columns })
      })
    },

    async remove(actor, id) {
      await database.transaction(async (trx) => {
        const row = await find(actor.id, id, trx)
        await trx.deleteFrom('webhook_endpoints').where('id', '=', id).execute()
        await trx.deleteFrom('webhook_deliveries').where('endpoint_id', '=', id).execute()
        await audit.record(traceOf(actor, 'delete', { objectId: id, before: facts(shown(row)), after: {} }), trx)
      })
    },

    async rotate(actor, id) {
      const secret = newWebhookSecret()
      return database.transaction(async (trx) => {
        const row = await find(actor.id, id, trx)
        const secret_cipher = secrets.encrypt('webhook', secret)
        await trx.updateTable('webhook_endpoints').set({ secret_cipher }).where('id', '=', id).execute()
        await audit.record(traceOf(actor, 'secret', { objectId: id, before: {}, after: { name: row.name } }), trx)
        return { ...shown(row), secret }
      })
    },
  }
}
