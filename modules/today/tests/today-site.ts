import type { SiteToday, TodayCard } from '@tollgate/contract'
import { expect } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { type SignedIn, signedIn } from '#server-test/support/features/signed-in.ts'
import { todayRoutes } from '../server/routes.ts'
import { openSnoozes } from '../server/snoozes.ts'
import { openToday, type TodayParts } from '../server/today.ts'

const at = (text: string): number => Date.parse(text) / 1000

/** The moment of these tests, a day, and the midnight before (UTC); unix seconds. */
export const now = at('2026-11-20T12:30:00Z')
export const day = 86_400
export const midnight = now - (now % day)

/** Sums of an hour or a day. */
export const usage = { count: 4, quota: 10, prompt_tokens: 1, completion_tokens: 1, failures: 0 }

const tables = [
  'channels',
  'channel_keys',
  'usage_hours',
  'usage_days',
  'usage_site_days',
  'failure_hours',
  'declared_usage',
  'notice_deliveries',
  'price_versions',
  'price_changes',
  'today_snoozes',
  'tokens',
  'users',
] as const

/** Rows of the tables that rules read. */
const rowsOf = (database: Database) => ({
  siteDay: (created_at: number, more: Record<string, unknown> = {}) =>
    database.query
      .insertInto('usage_site_days')
      .values({ ...usage, created_at, channel_id: 7, group: 'default', model_name: 'gpt-4o', ...more })
      .execute(),
  userDay: (created_at: number, more: Record<string, unknown> = {}) =>
    database.query
      .insertInto('usage_days')
      .values({
        ...usage,
        created_at,
        dimensions_hash: JSON.stringify(more),
        user_id: 2,
        token_id: 5,
        token_name: 'laptop',
        channel_id: 7,
        group: 'default',
        model_name: 'gpt-4o',
        ...more,
      })
      .execute(),
  user: (id: number, username: string, quota: number) =>
    database.insertMany('users', [
      {
        id,
        username,
        password: '',
        display_name: username,
        role: 1,
        status: 1,
        email: '',
        github_id: '',
        oidc_id: '',
        wechat_id: '',
        telegram_id: '',
        linux_do_id: '',
        access_token_hash: null,
        quota,
        used_quota: 0,
        request_count: 0,
        group: 'default',
        aff_code: `code ${id}`,
        aff_count: 0,
        aff_quota: 0,
        aff_history_quota: 0,
        inviter_id: 0,
        deleted_at: null,
        setting: '',
        created_time: 0,
        last_login_time: 0,
        staff_permissions: null,
      },
    ]),
  key: (id: number, more: Record<string, unknown>) =>
    database.query
      .insertInto('tokens')
      .values({
        id,
        user_id: 2,
        key_hash: `hash ${id}`,
        key_cipher: '',
        key_hint: '',
        status: 1,
        name: 'laptop',
        created_time: 0,
        accessed_time: now - 60,
        expired_time: -1,
        remain_quota: 0,
        unlimited_quota: 1,
        model_limits_enabled: 0,
        model_limits: '',
        allow_ips: '',
        used_quota: 0,
        group: '',
        deleted_at: null,
        tags: null,
        ...more,
      })
      .execute(),
  refusal: (hour: number, user_id: number) =>
    database.query
      .insertInto('failure_hours')
      .values({
        created_at: hour,
        dimensions_hash: `${user_id}`,
        user_id,
        token_id: 5,
        channel_id: 0,
        group: 'default',
        model_name: 'gpt-4o',
        class: 'quota',
        count: 3,
      })
      .execute(),
})

/** An empty start page whose rules read `database` and the given parts; the clock begins at `now`. */
export const openTodaySite = async (database: Database) => {
  for (const table of tables) await database.query.deleteFrom(table).execute()
  const state = { clock: now * 1000, parts: {} as Partial<TodayParts> }
  const parts: TodayParts = {
    database,
    snoozes: openSnoozes(database),
    clock: () => state.clock,
    failed: (rule, error) => expect.fail(`${rule}: ${error}`),
    channels: {
      snapshot: () => ({ all: () => [], byId: () => undefined }),
    } as unknown as TodayParts['channels'],
    sources: { now: 1 },
    attention: async () => new Map(),
    channelHealth: async () => [],
    limitReads: { site: async () => [], ofUser: async () => [] },
    modelEnd: () => undefined,
    isPriced: () => true,
    ledger: {} as TodayParts['ledger'],
    siteCards: () => [],
    options: {
      get: (name: string) => (name === 'QuotaPerUnit' ? 1000 : 50),
    } as unknown as TodayParts['options'],
  }
  const live = new Proxy(parts, { get: (target, name: keyof TodayParts) => state.parts[name] ?? target[name] })
  const routes = (on: Parameters<typeof todayRoutes>[0]): void =>
    todayRoutes(on, { today: openToday(live), snoozes: parts.snoozes, clock: parts.clock })
  const read = async (caller: SignedIn, path = '/api/today'): Promise<SiteToday> => {
    // Readers share a look for some seconds.
    state.clock += 6000
    const { json } = await caller('GET', `${path}?zone=UTC`, undefined, { 'accept-language': 'en' })
    if (json.success !== true) throw new Error(String(json.code ?? json.message))
    return json.data as SiteToday
  }
  const cardsOf = async (caller: SignedIn, path?: string): Promise<readonly TodayCard[]> =>
    (await read(caller, path)).cards
  return {
    ...rowsOf(database),
    database,
    state,
    root: signedIn(routes, { id: 1, role: 100 }),
    support: signedIn(routes, { id: 3, role: 10, permissions: { logs: 'read', users: 'read' } }),
    ben: signedIn(routes, { id: 2, username: 'ben' }),
    read,
    cardsOf,
    rulesOf: async (caller: SignedIn, path?: string) => (await cardsOf(caller, path)).map(({ rule }) => rule),
  }
}

export type TodaySite = Awaited<ReturnType<typeof openTodaySite>>
