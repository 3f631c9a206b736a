import { tmpdir } from 'node:os'
import { type SiteImportReport, userStatus } from '@tollgate/contract'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import type { Database, DatabaseAddress } from '#server/db/database.ts'
import { openDatabase } from '#server/db/engines/open.ts'
import { openGroups } from '#server/features/groups/groups.ts'
import { verifyLedger } from '#server/ledger/verify/verify.ts'
import { openSecrets } from '#server/lib/security/secrets.ts'
import { describeEachAddress, describeEachEngine } from '#server-test/support/db/databases.ts'
import { openTestOptions } from '#server-test/support/features/options.ts'
import { sqliteFile } from '../tests/moved-site.ts'
import { sourcePlace } from './import-command.ts'
import { importSite, type SiteImport } from './import-site.ts'
import { importTarget } from './import-target.ts'
import type { SourcePlace } from './source/place.ts'

const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })

/** A site of 2023: no columns for groups of keys, networks, times of calls, expiry of codes. */
const earlyOneApi = [
  'create table users (id integer primary key, username varchar(64), password varchar(200), display_name varchar(64), role integer, status integer, email varchar(64), github_id varchar(64), wechat_id varchar(64), access_token varchar(64), quota bigint, used_quota bigint, request_count integer, aff_code varchar(32), inviter_id integer)',
  "insert into users values (1, 'root', 'x', 'Root', 100, 1, '', '', '', 'T0kenOfRoot', 500000000000000, 12, 3, 'root', 0)",
  "insert into users values (2, '小明', 'x', '小明', 1, 1, 'A@Example.com', 'gh', 'wx', '', -4321, 20179, 10, 'abcd', 3)",
  "insert into users values (3, 'late', 'x', 'Late', 1, 2, '', '', '', null, 0, 0, 0, '', 0)",
  'create table tokens (id integer primary key, user_id integer, status integer, name varchar(64), created_time bigint, accessed_time bigint, expired_time bigint, remain_quota bigint, unlimited_quota integer, used_quota bigint)',
  "insert into tokens values (1, 2, 1, '钥匙', 100, 200, -1, 7, 0, 3)",
  "insert into tokens values (2, 2, 1, 'free', 100, 200, -1, -99, 1, 3)",
  "insert into tokens values (3, 99, 1, 'orphan', 100, 200, -1, 5, 0, 0)",
]

/** Reserved words need the quotes of each engine. */
const quotedTables = (engine: string): string[] => {
  const q = (name: string): string => (engine === 'mysql' ? `\`${name}\`` : `"${name}"`)
  return [
    `alter table tokens add column ${q('key')} varchar(64)`,
    `update tokens set ${q('key')} = 'key1' where id = 1`,
    `update tokens set ${q('key')} = 'key2' where id = 2`,
    `update tokens set ${q('key')} = 'key3' where id = 3`,
    `create table options (${q('key')} varchar(64) primary key, ${q('value')} text)`,
    `insert into options values ('ModelRatio', '{"gpt-4o":1.25}')`,
    `insert into options values ('GroupRatio', '{"default":1}')`,
    `insert into options values ('RegisterEnabled', 'maybe')`,
    `insert into options values ('Theme', 'air')`,
    `create table channels (id integer primary key, type integer, ${q('key')} text, status integer, name varchar(64), weight integer, created_time bigint, base_url text, other text, models text, ${q('group')} varchar(64), used_quota bigint, model_mapping text, priority bigint)`,
    `insert into channels values (1, 36, 'sk-a', 3, 'Deep', null, 1, null, null, 'deepseek-chat', 'default', 77, null, null)`,
    `insert into channels values (2, 34, 'x', 1, 'Coze', 0, 1, '', '', 'bot', 'default', 0, '', 0)`,
  ]
}

const put = async (database: Database, statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(database.query)
}

const placeOf = ({ engine, url }: DatabaseAddress): SourcePlace =>
  engine === 'sqlite' ? { file: url } : { engine, url }

const targetOn = async (database: Database) => {
  const options = await openTestOptions(database, { secrets })
  onTestFinished(() => options.close())
  const groups = openGroups({ ratios: () => options.get('GroupRatio'), usable: () => options.get('UserUsableGroups') })
  const target = importTarget(
    { database, logDatabase: database, secrets, clock: Date.now, options, groups },
    async () => {},
  )
  return { options, run: (wanted: Partial<SiteImport>) => importSite(target, { ...defaults, ...wanted }) }
}

const defaults: SiteImport = {
  product: 'one-api',
  place: { file: '' },
  site: 'one-api',
  dryRun: false,
  logs: true,
  saltKey: '',
  progress: async () => true,
}

const sumsOf = ({ sums }: SiteImportReport) =>
  Object.fromEntries(sums.map(({ name, before, after }) => [name, [before, after]]))

describeEachAddress('a site of 2023', (place, engine) => {
  it('is read with its columns, its large and negative balances, and what the program meant by them', async () => {
    const address = await place()
    const source = await openDatabase(address)
    await put(source, [...earlyOneApi, ...quotedTables(engine)])
    await source.close()
    const targetAddress = await place()
    const database = await openDatabase(targetAddress)
    onTestFinished(() => database.close())
    const { migrate } = await import('#server/db/migrate.ts')
    await migrate(database)
    const { run } = await targetOn(database)
    const report = await run({ place: placeOf(address) })

    expect(sumsOf(report)).toMatchObject({
      user_quota: [500_000_000_000_000 - 4321, 500_000_000_000_000 - 4321],
      token_remain: [7, 7],
    })
    const users = await database.query.selectFrom('users').selectAll().orderBy('id').execute()
    expect(users[1]).toMatchObject({ username: '小明', email: 'a@example.com', github_id: 'gh', quota: -4321 })
    expect(users[1]?.inviter_id).toBe(users[2]?.id)
    expect(users[0]?.access_token_hash).toBe(secrets.digest('access_token', 'T0kenOfRoot'))
    expect(users[2]?.status).toBe(userStatus.disabled)
    const [channel, ...others] = await database.query.selectFrom('channels').selectAll().execute()
    expect(others).toEqual([])
    expect(channel).toMatchObject({ type: 43, status: 3, used_quota: 77, weight: 0 })
    const notes = new Map(report.notes.map(({ code, examples }) => [code, examples]))
    expect(notes.get('token_no_owner')).toEqual(['orphan'])
    expect(notes.get('channel_type')).toEqual(['Coze (34)'])
    expect(notes.get('option_refused')).toEqual(['RegisterEnabled'])
    expect(notes.get('option_unknown')).toEqual(['Theme'])
    expect(notes.get('price_by_list')).toEqual(['deepseek-chat'])
    expect(notes.get('price_missing')).toEqual(['bot'])
    expect((await verifyLedger(database)).differences).toEqual([])
  })
})

describeEachEngine('moving in', (open) => {
  it('goes on where it was ended, and moves each row once', async () => {
    const users = Array.from(
      { length: 450 },
      (_, index) =>
        `insert into users values (${index + 10}, 'u${index}', 'x', '', 1, 1, '', '', '', '', ${index}, 0, 0, '', 0)`,
    )
    const file = await sqliteFile([...earlyOneApi, ...quotedTables('sqlite'), ...users].join(';\n'))
    const database = await open()
    const { run } = await targetOn(database)
    let pages = 0
    const ended = run({ place: { file }, progress: async () => ++pages < 2 })
    await expect(ended).rejects.toThrow('was stopped')
    expect(await database.query.selectFrom('users').select('id').execute()).toHaveLength(400)
    const report = await run({ place: { file } })
    expect(report.counts.find(({ kind }) => kind === 'user')).toMatchObject({ found: 453, carried: 53, known: 400 })
    expect(sumsOf(report).user_quota?.[0]).toBe(sumsOf(report).user_quota?.[1])
    expect((await verifyLedger(database)).differences).toEqual([])
  })

  it('leaves alone what people here have: names, options, keys', async () => {
    const file = await sqliteFile([...earlyOneApi, ...quotedTables('sqlite')].join(';\n'))
    const database = await open()
    const { run, options } = await targetOn(database)
    await options.set('GroupRatio', '{"default":2}', { id: 1, username: 'root', role: 100, ip: '' })
    const first = await run({ place: { file } })
    expect(first.notes.map(({ code }) => code)).toContain('option_kept')
    expect(options.get('GroupRatio')).toEqual({ default: 2 })
    // The same site once more under another name: every name is taken, every key known.
    const second = await run({ place: { file }, site: 'copy' })
    const notes = new Map(second.notes.map(({ code, examples }) => [code, examples]))
    expect(notes.get('user_renamed')).toEqual(['root → root-2', '小明 → 小明-2', 'late → late-2'])
    expect(notes.get('user_demoted')).toEqual(['root-2'])
    expect(notes.get('token_taken')).toEqual(['钥匙', 'free'])
    expect((await verifyLedger(database)).differences).toEqual([])
  })

  it('writes nothing in a dry run', async () => {
    const file = await sqliteFile([...earlyOneApi, ...quotedTables('sqlite')].join(';\n'))
    const database = await open()
    const { run } = await targetOn(database)
    const report = await run({ place: { file }, dryRun: true })
    expect(report.counts.find(({ kind }) => kind === 'token')).toMatchObject({ found: 3, carried: 2, left: 1 })
    for (const table of ['users', 'tokens', 'channels', 'options', 'import_rows'] as const) {
      const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(database.query)
      expect(Number(rows[0]?.n), table).toBe(0)
    }
  })

  it('refuses a database of another program, and says so without its password', async () => {
    const file = await sqliteFile('create table notes (id integer)')
    const { run } = await targetOn(await open())
    await expect(run({ place: { file } })).rejects.toThrow('This is no database of one-api')
    const nobody: SourcePlace = { engine: 'postgres', url: 'postgres://me:secret-word@127.0.0.1:1/none' }
    const failed = await run({ place: nobody }).catch((error: unknown) => String(error))
    expect(failed).toContain('Cannot read postgres://127.0.0.1:1/none')
    expect(failed).not.toContain('secret-word')
  })

  it('says what is wrong with an address or a path', async () => {
    const { run } = await targetOn(await open())
    await expect(run({ place: { file: tmpdir() } })).rejects.toThrow('this is a folder, not a file.')
    expect(() => sourcePlace('mysql://me:100%@127.0.0.1/one')).toThrow('the password has a %, which is written %25')
  })

  it('refuses a database of the sister program, whose channel types mean other providers', async () => {
    const statements = [...earlyOneApi, ...quotedTables('sqlite')]
    const own = await sqliteFile([...statements, 'alter table tokens add column subnet text'].join(';\n'))
    const other = await sqliteFile([...statements, 'alter table users add column aff_quota integer'].join(';\n'))
    const both = await sqliteFile(
      [
        ...statements,
        'alter table tokens add column subnet text',
        'alter table users add column aff_quota integer',
      ].join(';\n'),
    )
    const { run } = await targetOn(await open())
    await expect(run({ place: { file: own }, product: 'new-api' })).rejects.toThrow('This is a database of one-api')
    await expect(run({ place: { file: other } })).rejects.toThrow('This is a database of new-api')
    for (const product of ['one-api', 'new-api'] as const) {
      const report = await run({ place: { file: both }, product, dryRun: true })
      expect(report.counts.find(({ kind }) => kind === 'user')).toMatchObject({ carried: 3 })
    }
  })

  it('names tables that the source lacks', async () => {
    const file = await sqliteFile([...earlyOneApi, ...quotedTables('sqlite'), 'drop table channels'].join(';\n'))
    const { run } = await targetOn(await open())
    const { notes } = await run({ place: { file }, dryRun: true })
    expect(notes.find(({ code }) => code === 'table_missing')?.examples).toEqual(['channels', 'redemptions', 'logs'])
  })

  it('names the row and the column of what cannot be read', async () => {
    // Later versions may write a time as text; a balance that no number holds is refused.
    const broken =
      "alter table users add column created_at text default '2026-01-02 03:04:05'; update users set quota = 9007199254740993 where id = 2"
    const file = await sqliteFile([...earlyOneApi, ...quotedTables('sqlite'), broken].join(';\n'))
    const { run } = await targetOn(await open())
    await expect(run({ place: { file } })).rejects.toThrow(
      'The table "users" of the source has a row (2) that cannot be read: quota: 9007199254740993 is no whole number',
    )
  })
})
