import { isObject } from '@tollgate/contract/json'
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '#server/db/schema.ts'
import { domainOf, provedDomain } from '#server/features/organisations/domains/proved-domains.ts'
import type { ProvisioningParts, ScimPlace } from './parts.ts'
import type { Resource } from './scim/matching.ts'

/** As long as an identity's and an account's address may be. */
const longestAddress = 50

const isAddress = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= longestAddress && /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text)

/** The address that an account is known by: the main one, otherwise the first, otherwise the name where it is one. */
const addressIn = (userName: string, attributes: Resource): string | undefined => {
  const emails = Array.isArray(attributes.emails) ? attributes.emails.filter(isObject) : []
  const main = emails.find(({ primary }) => primary === true) ?? emails[0]
  const address = [main?.value, userName].find(isAddress)
  return address?.toLowerCase()
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** User who has proved to read this address; cancelled users are unknown. */
export const provedOwner = async (on: Kysely<Tables>, address: string): Promise<number | undefined> => {
  const row = await on
    .selectFrom('identities as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .select('u.id')
    .where('i.provider', '=', 'email')
    .where('i.subject', '=', address)
    .where('u.deleted_at', 'is', null)
    .where('u.organisation_id', '=', 0)
    .executeTakeFirst()
  return row?.id
}

/** True if any account, proved or not, cancelled or not, has the address. */
export const addressTaken = async (on: Kysely<Tables>, address: string): Promise<boolean> => {
  const proved = on.selectFrom('identities').select('id').where('provider', '=', 'email').where('subject', '=', address)
  const shown = on.selectFrom('users').select('id').where('email', '=', address)
  return (await proved.executeTakeFirst()) !== undefined || (await shown.executeTakeFirst()) !== undefined
}

/** Display name of the person. */
export const displayNameIn = (userName: string, attributes: Resource): string => {
  const name = isObject(attributes.name) ? attributes.name : {}
  const whole = [text(name.givenName), text(name.familyName)].filter((part) => part !== '').join(' ')
  const [found = userName] = [text(attributes.displayName), text(name.formatted), whole].filter((one) => one !== '')
  return found
}

/** The address of a person, where the organisation has proved its domain. */
export const provedAddress = async (
  on: Kysely<Tables>,
  place: ScimPlace,
  userName: string,
  attributes: Resource,
): Promise<string | undefined> => {
  const address = addressIn(userName, attributes)
  if (address === undefined) return undefined
  const domain = await provedDomain(on, place)
  return domain !== '' && domainOf(address) === domain ? address : undefined
}

/**
 * Brings the account that was made for the organisation up to date with what the identity provider says: its name, and its
 * address within the domain that the organisation proved. An account of a person's own is left as it is.
 */
export const updateMadeAccount = async (
  { accounts }: Pick<ProvisioningParts, 'accounts'>,
  trx: Transaction<Tables>,
  place: ScimPlace,
  person: { readonly userId: number; readonly userName: string; readonly attributes: Resource },
): Promise<void> => {
  const { userId, userName, attributes } = person
  const row = await trx
    .selectFrom('users')
    .select(['display_name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return
  const display_name = [...displayNameIn(userName, attributes)].slice(0, longestDisplayName).join('')
  if (display_name !== row.display_name)
    await trx.updateTable('users').set({ display_name }).where('id', '=', userId).execute()
  const address = await provedAddress(trx, place, userName, attributes)
  const mayBind = row.email === '' || domainOf(row.email) === place.domain
  if (address === undefined || address === row.email || !mayBind) return
  if (!(await addressTaken(trx, address))) await accounts.bindAddress(trx, userId, address)
}

const longestDisplayName = 20
