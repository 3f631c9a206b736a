import { type ImportCount, role, userStatus } from '@tollgate/contract'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import type { Engine } from '#server/db/database.ts'
import { openDatabase } from '#server/db/engines/open.ts'
import { migrate } from '#server/db/migrate.ts'
import { openGroups } from '#server/features/groups/groups.ts'
import { verifyLedger } from '#server/ledger/verify/verify.ts'
import { openSecrets } from '#server/lib/security/secrets.ts'
import { describeEachAddress } from '#server-test/support/db/databases.ts'
import { openTestOptions } from '#server-test/support/features/options.ts'
import { importSite } from './import-site.ts'
import { importTarget } from './import-target.ts'

/** Column types of a new-api of April 2025 on each engine: truth values, moments and large numbers come in three forms. */

const types: Readonly<Record<Engine, { truth: string; moment: string; long: string; json: string; real: string }>> = {
  sqlite: { truth: 'numeric', moment: 'datetime', long: 'integer', json: 'json', real: 'real' },
  mysql: { truth: 'tinyint(1)', moment: 'datetime(3)', long: 'bigint', json: 'json', real: 'double' },
  postgres: { truth: 'boolean', moment: 'timestamptz', long: 'bigint', json: 'json', real: 'numeric' },
}

const statementsFor = (engine: Engine): string[] => {
  const { truth, moment, long, json, real } = types[engine]
  const q = (name: string): string => (engine === 'mysql' ? `\`${name}\`` : `"${name}"`)
  const [yes, no] = engine === 'postgres' ? ['true', 'false'] : ['1', '0']
  const gone = engine === 'sqlite' ? "'2025-04-02 03:04:05.678901234+00:00'" : "'2025-04-02 03:04:05.678'"
  return [
    `create table users (id ${long} primary key, username varchar(64), password text, display_name varchar(64), role ${long}, status ${long}, email varchar(64), github_id varchar(64), oidc_id varchar(64), wechat_id varchar(64), telegram_id varchar(64), access_token char(32), quota ${long}, used_quota ${long}, request_count ${long}, ${q('group')} varchar(64), aff_code varchar(32), aff_count ${long}, aff_quota ${long}, aff_history ${long}, inviter_id ${long}, deleted_at ${moment}, linux_do_id varchar(64), setting text)`,
    `insert into users values (1, 'root', 'x', 'Root', 100, 1, '', '', '', '', '', null, 9007199254740000, 0, 0, 'default', 'root', 0, 0, 0, 0, null, '', '')`,
    `insert into users values (2, 'ann', 'x', 'Ann', 10, 1, 'ann@example.com', 'gh', '', '', '', null, -5, 17, 2, 'vip', 'abcd', 1, 1100000, 1100000, 1, null, '', '{"notify_type":"email","quota_warning_threshold":1000}')`,
    `insert into users values (3, 'gone', 'x', 'Gone', 1, 1, '', '', '', '', '', null, 3, 0, 0, 'default', 'efgh', 0, 0, 0, 0, ${gone}, '', '')`,
    `create table tokens (id ${long} primary key, user_id ${long}, ${q('key')} char(48), status ${long}, name varchar(64), created_time ${long}, accessed_time ${long}, expired_time ${long}, remain_quota ${long}, unlimited_quota ${truth}, model_limits_enabled ${truth}, model_limits varchar(1024), allow_ips varchar(200), used_quota ${long}, ${q('group')} varchar(64), deleted_at ${moment})`,
    `insert into tokens values (1, 2, '${'a'.repeat(48)}', 1, 'limited', 100, 200, -1, 2147483648, ${no}, ${yes}, 'gpt-4o,gpt-4o-mini', '', 7, '', null)`,
    `insert into tokens values (2, 2, '${'b'.repeat(48)}', 1, 'free', 100, 200, 1893456000, -40, ${yes}, ${no}, 'gpt-4o', '203.0.113.7', 10, 'vip', null)`,
    `insert into tokens values (3, 2, '${'c'.repeat(48)}', 1, 'deleted', 100, 200, -1, 5, ${no}, ${no}, '', '', 0, '', ${gone})`,
    `create table channels (id ${long} primary key, type ${long}, ${q('key')} text, open_ai_organization text, test_model text, status ${long}, name text, weight ${long}, created_time ${long}, test_time ${long}, response_time ${long}, base_url text, other text, balance ${real}, balance_updated_time ${long}, models text, ${q('group')} varchar(64), used_quota ${long}, model_mapping text, status_code_mapping varchar(1024), priority ${long}, auto_ban ${long}, other_info text, tag text, setting text)`,
    `insert into channels values (1, 1, 'sk-a', '', null, 1, 'main', 5, 1, 0, 0, 'https://one.example', '', 1.5, 0, 'gpt-4o', 'default,vip', 17, null, '', 10, 1, '', 'main', '{"proxy":"socks5://proxy.example:1080"}')`,
    `insert into channels values (2, 1, 'sk-b', null, null, 2, 'main', null, 1, 0, 0, null, null, 0, 0, 'gpt-4o', 'default', 0, '', null, null, 0, null, null, null)`,
    `create table options (${q('key')} varchar(191) primary key, ${q('value')} text)`,
    `insert into options values ('GroupRatio', '{"default":1,"vip":0.8}')`,
    `create table quota_data (id ${long} primary key, detail ${json})`,
  ]
}

describeEachAddress('a new-api of April 2025', (place, engine) => {
  it('is read as its program meant it', async () => {
    const address = await place()
    const source = await openDatabase(address)
    for (const statement of statementsFor(engine)) await sql.raw(statement).execute(source.query)
    await source.close()

    const database = await openDatabase(await place())
    onTestFinished(() => database.close())
    await migrate(database)
    const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })
    const options = await openTestOptions(database, { secrets })
    onTestFinished(() => options.close())
    const groups = openGroups({
      ratios: () => options.get('GroupRatio'),
      usable: () => options.get('UserUsableGroups'),
    })
    const target = importTarget(
      { database, logDatabase: database, secrets, clock: Date.now, options, groups },
      async () => {},
    )
    const move = () =>
      importSite(target, {
        product: 'new-api',
        place: address.engine === 'sqlite' ? { file: address.url } : { engine: address.engine, url: address.url },
        site: 'new-api',
        dryRun: false,
        logs: true,
        saltKey: '',
        progress: async () => true,
      })
    const report = await move()
    expect(report.sums.map(({ name, before, after }) => [name, before, after])).toEqual([
      ['user_quota', 9007199254739998, 9007199254739998],
      ['user_used', 17, 17],
      ['aff_quota', 1100000, 1100000],
      ['token_remain', 2147483653, 2147483653],
      ['token_used', 17, 17],
    ])
    const users = await database.query
      .selectFrom('users')
      .select(['username', 'role', 'status', 'quota', 'group', 'deleted_at'])
      .orderBy('id')
      .execute()
    expect(users).toMatchObject([
      { username: 'root', role: role.root, status: userStatus.enabled, deleted_at: null },
      { username: 'ann', role: role.admin, quota: -5, group: 'vip', deleted_at: null },
      { username: 'gone', deleted_at: expect.anything() },
    ])
    const tokens = await database.query
      .selectFrom('tokens')
      .select(['name', 'unlimited_quota', 'model_limits', 'allow_ips', 'deleted_at', 'remain_quota'])
      .orderBy('id')
      .execute()
    expect(tokens).toMatchObject([
      { name: 'limited', unlimited_quota: 0, remain_quota: 2147483648, deleted_at: null },
      { name: 'free', unlimited_quota: 1, allow_ips: '203.0.113.7', deleted_at: null },
      { name: 'deleted', deleted_at: expect.anything() },
    ])
    expect(String(tokens[0]?.model_limits)).toContain('gpt-4o-mini')
    const channels = await database.query.selectFrom('channels').select(['name', 'status', 'setting']).execute()
    expect(channels).toMatchObject([{ setting: expect.stringContaining('socks5://') }, { status: 2 }])
    expect((await verifyLedger(database, {})).differences).toEqual([])

    const carried = ({ carried: count }: ImportCount): number => count
    expect((await move()).counts.map(carried).every((count) => count === 0)).toBe(true)
  })
})
