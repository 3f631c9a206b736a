import { userStatus } from '@tollgate/contract'
import { sql, type Transaction } from 'kysely'
import { moduleRights } from '../../../modules/lists/rights.ts'
import type { Tables } from '../../src/db/schema.ts'
import type { Secrets } from '../../src/lib/security/secrets.ts'
import { canary } from './canaries.ts'
import { giveIdentityProviders } from './identity-providers.ts'
import { pictureText, type RightsOwner } from './module-rights.ts'
import { now } from './people/now.ts'
import { giveOrganisation } from './people/organisation.ts'
import { giveHistory, giveLimit } from './people/records.ts'
import { giveChannel, giveOrder, givePendingOrder, givePriceVersion, giveUnknownUsage } from './people/wares.ts'
import { giveApiKey, giveNamedToken, giveSession, insertUser } from './people/ways-in.ts'
import type { RightsSite } from './site.ts'

/** Somebody with a session, a system access token, an API key and everything else that people can own. */
export interface Person {
  readonly id: number
  readonly role: number
  readonly username: string
  /** Value of the session cookie; it has just proved who it is. */
  readonly session: string
  /** The system access token. */
  readonly accessToken: string
  /** A named access token for everything. */
  readonly namedToken: string
  readonly namedTokenId: number
  readonly apiKey: string
  readonly tokenId: number
  readonly channelId: number
  /** One of two keys of the channel, as calls name it. */
  readonly channelKeyId: string
  /** A proposed version of list prices, and one that was applied. */
  readonly proposalId: number
  readonly appliedId: number
  readonly orderId: number
  readonly pendingOrderId: number
  readonly unknownUsageId: number
  readonly logId: number
  readonly limitId: number
  /** Ids of the person's objects in modules, by name. */
  readonly inModules: RightsOwner['inModules']
  /** An organisation that the person owns, and its identity provider. */
  readonly organisationId: number
  /** A key of a project in it. */
  readonly projectKeyId: number
  readonly ownProviderId: number
  /** An identity provider of the site. */
  readonly siteProviderId: number
}

/** Writes one person and what they own, in the transaction that is passed. */
const insertPerson = async (
  query: Transaction<Tables>,
  secrets: Secrets,
  person: { username: string; role: number; status: number; protectedBy2fa: boolean },
): Promise<Person> => {
  const { username, role: userRole, status, protectedBy2fa } = person
  const id = await insertUser(query, userRole, status, username)
  const accessToken = canary('accesstoken', id, 32)
  const access_token_hash = secrets.digest('access_token', accessToken)
  await query.updateTable('users').set({ access_token_hash }).where('id', '=', id).execute()
  if (protectedBy2fa) {
    const secret_cipher = secrets.encrypt('second_factor', canary('totp', id))
    const factor = { user_id: id, secret_cipher, confirmed_time: now(), last_step: 0, created_time: now() }
    await query.insertInto('second_factors').values(factor).execute()
    const code_hash = canary('recovery', id)
    await query.insertInto('recovery_codes').values({ user_id: id, code_hash, created_time: now() }).execute()
  }
  const session = await giveSession(query, secrets, id)
  const key = await giveApiKey(query, secrets, id)
  const logId = await giveHistory(query, id, username)
  const channelId = await giveChannel(query, secrets, id)
  const channelKeyId = secrets.digest('channel_key', canary('channelkey', id)).slice(0, 16)
  const orderId = await giveOrder(query, id)
  const [proposalId, appliedId] = [await givePriceVersion(query, 'proposed'), await givePriceVersion(query, 'applied')]
  const channel = { channelId, channelKeyId }
  const inModules: Record<string, number> = {}
  for (const { give } of moduleRights) Object.assign(inModules, await give?.(query, secrets, id))
  const organisation = await giveOrganisation(query, secrets, id)
  return {
    id,
    role: userRole,
    username,
    session,
    accessToken,
    ...(await giveNamedToken(query, secrets, id)),
    ...channel,
    inModules,
    proposalId,
    appliedId,
    orderId,
    pendingOrderId: await givePendingOrder(query, id),
    unknownUsageId: await giveUnknownUsage(query, id),
    logId,
    ...organisation,
    ...(await giveIdentityProviders(query, secrets, id, organisation.organisationId)),
    limitId: await giveLimit(query, id, key.tokenId),
    ...key,
  }
}

/** Puts people and their belongings straight into the database; each value that must stay secret is a canary. */
export const createPeople = ({ database, secrets }: RightsSite) => {
  const { query } = database
  let count = 0

  return {
    make(userRole: number, { status = userStatus.enabled as number, protectedBy2fa = false } = {}): Promise<Person> {
      count += 1
      const person = { username: `p${count}`, role: userRole, status, protectedBy2fa }
      return database.transaction((trx) => insertPerson(trx, secrets, person))
    },

    /** Everything of a person that others may not touch, as one text. */
    async picture({ id }: Person): Promise<string> {
      const rows = await Promise.all([
        query.selectFrom('users').selectAll().where('id', '=', id).execute(),
        query.selectFrom('tokens').selectAll().where('user_id', '=', id).orderBy('id').execute(),
        query.selectFrom('tokens').selectAll().where('member_id', '=', id).orderBy('id').execute(),
        query.selectFrom('memberships').selectAll().where('user_id', '=', id).orderBy('id').execute(),
        query.selectFrom('spend_caps').selectAll().where('subject_id', '=', id).orderBy('id').execute(),
        query.selectFrom('second_factors').selectAll().where('user_id', '=', id).execute(),
        query.selectFrom('recovery_codes').selectAll().where('user_id', '=', id).orderBy('id').execute(),
        query.selectFrom('identities').selectAll().where('user_id', '=', id).orderBy('id').execute(),
        query
          .selectFrom('sessions')
          .select(['id_hash', 'confirmed_time'])
          .where('user_id', '=', id)
          .orderBy('id_hash')
          .execute(),
        query
          .selectFrom('access_tokens')
          .select(['id', 'name', 'token_hash', 'scopes', 'expires_time'])
          .where('user_id', '=', id)
          .orderBy('id')
          .execute(),
        query.selectFrom('ledger_entries').selectAll().where('account_id', '=', id).orderBy('id').execute(),
        ...moduleRights
          .flatMap(({ ofUsers = [] }) => ofUsers)
          .map(async (table) => {
            const rows = sql`select * from ${sql.table(table)} where user_id = ${id} order by id`
            return (await rows.execute(query)).rows
          }),
      ])
      return pictureText(rows)
    },

    /** How many changes the trail holds. */
    async traces(): Promise<number> {
      const counted = query.selectFrom('audit').select(({ fn }) => fn.countAll<number>().as('count'))
      return Number((await counted.executeTakeFirst())?.count ?? 0)
    },
  }
}

export type People = ReturnType<typeof createPeople>
