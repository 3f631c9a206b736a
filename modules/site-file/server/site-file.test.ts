import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openRightsSite, type RightsSite, rootPassword } from '#server-test/rights/site.ts'
import { runApplyCommand } from './apply-command.ts'
import { runExportCommand } from './export-command.ts'

/** A site file, exported from and applied to running sites. */

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-site-file-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  vi.unstubAllEnvs()
})

interface Operated {
  readonly site: RightsSite
  /** Asks the API as root. */
  ask(method: string, path: string, body?: unknown): Promise<unknown>
  export(): Promise<string>
  /** Runs `tollgate apply` on a file with this text. */
  apply(text: string, ...args: readonly string[]): Promise<{ code: number; text: string }>
}

const openOperated = async (): Promise<Operated> => {
  const site = await openRightsSite()
  onTestFinished(site.close)
  const credentials = { username: 'root', password: rootPassword }
  const signedIn = await site.ask({ method: 'POST', path: '/api/user/login', body: credentials })
  const session = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const cookie = { cookie: session, 'new-api-user': '1' }
  const made = await site.ask({ method: 'GET', path: '/api/user/token', headers: cookie })
  const tokenFile = join(folder, `token-${Math.random()}`)
  writeFileSync(tokenFile, `${String(made.json.data)}\n`)
  const place = ['--url', site.url, '--token-file', tokenFile]
  return {
    site,
    async ask(method, path, body) {
      const { json } = await site.ask({ method, path, body, headers: cookie })
      expect(json).toMatchObject({ success: true })
      return json.data
    },
    async export() {
      let text = ''
      expect(await runExportCommand(place, (part) => (text += part))).toBe(0)
      return text
    },
    async apply(text, ...args) {
      const path = join(folder, 'site.yaml')
      writeFileSync(path, text)
      const lines: string[] = []
      const code = await runApplyCommand([path, ...args, ...place], (line) => lines.push(line))
      return { code, text: lines.join('\n') }
    },
  }
}

const file = `version: 1
groups:
  GroupRatio: { default: 1, vip: 0.8 }
options:
  SystemName: Acme
  RetryTimes: 2
  HedgedGroupsWrong: 1
`

const whole = `version: 1
groups:
  GroupRatio: { default: 1, vip: 0.8 }
  HedgedGroups: [vip]
prices:
  ModelPrice: { acme-draw: 0.04 }
options:
  SystemName: Acme
  RetryTimes: 2
  SMTPToken: \${MAIL_SECRET}
channels:
  - name: openai-eu
    type: OpenAI
    key: \${EU_KEY}
    base_url: https://eu.example.com
    models: [gpt-4o, gpt-4o-mini]
    groups: [default, vip]
    priority: 10
    tag: eu
    model_mapping: { gpt-4o-mini: gpt-4o-mini-2024 }
    setting: { key_rotation: random }
  - name: spare
    type: Anthropic
    key: \${file:spare.key}
    enabled: false
    models: [claude-sonnet-4-5]
models:
  gpt-4o: { description: Ours }
virtual_models:
  - name: smart
    groups: [vip]
    steps:
      - targets: [{ model: gpt-4o, channels: [openai-eu], weight: 3 }, { model: claude-sonnet-4-5 }]
      - targets: [{ model: gpt-4o-mini }]
`

const keys = 'sk-eu-0123456789-first\nsk-eu-0123456789-other'
const withSecrets = (): void => {
  vi.stubEnv('MAIL_SECRET', 'mail-secret-text')
  vi.stubEnv('EU_KEY', keys)
  writeFileSync(join(folder, 'spare.key'), 'sk-ant-spare-0123456789\n')
}

describe('tollgate apply', () => {
  it('makes an empty site as the file says, and then finds nothing to change', async () => {
    withSecrets()
    const operated = await openOperated()
    const planned = await operated.apply(whole, '--plan')
    expect(planned.code).toBe(2)
    expect(planned.text).toContain('+ channel openai-eu')
    expect(planned.text).toContain('    groups: ["default","vip"]')
    expect(await operated.ask('GET', '/api/channel/')).toEqual([])

    const applied = await operated.apply(whole)
    expect(applied.code).toBe(0)
    expect(applied.text).not.toMatch(/sk-|mail-secret-text/)
    expect(await operated.ask('GET', '/api/channel/')).toMatchObject([
      { name: 'openai-eu', key_count: 2, group: 'default,vip', priority: 10, tag: 'eu', status: 1 },
      { name: 'spare', key_count: 1, status: 2, type: 14 },
    ])
    expect(await operated.apply(whole, '--check')).toEqual({
      code: 0,
      text: 'No changes: the site is as the file says.',
    })
    expect((await operated.apply(whole)).code).toBe(0)
    const { items } = (await operated.ask('GET', '/api/audit/')) as { items: readonly { action: string }[] }
    const actions = items.map(({ action }) => action)
    expect(actions.filter((action) => action === 'channel.create')).toHaveLength(2)
    expect(actions).toContain('virtual_model.create')
  })

  it('finds what was changed by hand, one line for each value, and puts it right', async () => {
    withSecrets()
    const operated = await openOperated()
    await operated.apply(whole)
    const [eu] = (await operated.ask('GET', '/api/channel/')) as { id: number }[]
    await operated.ask('PUT', '/api/channel/', { id: eu?.id, priority: 3, key: 'sk-another-key' })
    await operated.ask('PUT', '/api/option/', { key: 'ModelPrice', value: '{"acme-draw":0.05,"acme-sing":1}' })
    await operated.ask('PUT', '/api/option/', { key: 'SMTPToken', value: 'another' })
    await operated.ask('PUT', '/api/option/', { key: 'Footer', value: 'Not in the file' })

    const checked = await operated.apply(whole, '--check')
    expect(checked).toEqual({
      code: 2,
      text: [
        '~ option ModelPrice',
        '~ option SMTPToken',
        '~ channel openai-eu',
        '0 to create, 3 to change, 0 to delete.',
      ].join('\n'),
    })
    const planned = await operated.apply(whole, '--plan')
    expect(planned.text).toContain('value.acme-draw: 0.05 → 0.04')
    expect(planned.text).toContain('value.acme-sing: 1 → (none)')
    expect(planned.text).toContain('priority: 3 → 10')
    expect(planned.text).toContain('key: "(secret)" → "(secret)"')
    expect(planned.text).toContain('left as they are: 1')
    expect((await operated.apply(whole, '--plan', '--no-secrets')).text).not.toContain('secret')

    expect((await operated.apply(whole)).code).toBe(0)
    expect((await operated.apply(whole, '--check')).code).toBe(0)
    expect((await operated.apply(whole, '--prune', '--plan')).text).toContain('~ option Footer')
  })

  it('removes with --prune what the file does not name, and leaves sections that it does not have', async () => {
    withSecrets()
    const operated = await openOperated()
    await operated.apply(whole)
    const pruned = await operated.apply('version: 1\nvirtual_models: []\n', '--prune')
    expect(pruned.text).toContain('- virtual model smart')
    expect(await operated.ask('GET', '/api/virtual-models')).toEqual([])
    expect(await operated.ask('GET', '/api/channel/')).toHaveLength(2)
  })

  it('refuses a file with the line of each mistake, and changes nothing', async () => {
    const operated = await openOperated()
    const refused = async (text: string): Promise<string> =>
      operated.apply(text).then(
        () => 'nothing',
        (error: Error) => error.message.replaceAll(folder, ''),
      )
    expect(await refused(file)).toBe('/site.yaml:7: options.HedgedGroupsWrong: There is no such option')
    expect(await refused('version: 1\nchannels:\n  - name: a\n    type: OpenAI\n    modles: [x]\n')).toBe(
      [
        '/site.yaml:3: channels[0].models: Invalid input: expected array, received undefined',
        '/site.yaml:5: channels[0].modles: There is no such field',
      ].join('\n'),
    )
    const channel = 'version: 1\nchannels:\n  - name: a\n    type: Nobody\n    models: [x]\n    key: '
    expect(await refused(`${channel}sk-in-the-clear`)).toContain(
      '/site.yaml:6: channels[0].key: A secret is written as',
    )
    expect(await refused(`${channel}\${NOT_SET}`)).toBe(
      '/site.yaml:4: channels[0].type: There is no channel type Nobody\n' +
        '/site.yaml:6: channels[0].key: The variable NOT_SET is not set',
    )
    expect(await refused('version: 1\noptions:\n  GroupRatio: {}\n')).toContain('It belongs below groups')
    expect(await refused('version: 1\noptions:\n  RetryTimes: many\n')).toContain('/site.yaml:3: options.RetryTimes')
    expect(await refused('version: 1\nversion: 2\n')).toContain('/site.yaml:2: ')
    const model = 'version: 1\nvirtual_models:\n  - name: m\n    steps:\n      - targets:\n          - model: x\n'
    expect(await refused(`${model}            channels: [nobody]\n`)).toContain('/site.yaml:7: virtual_models[0].steps')
    expect((await operated.export()).split('\n').slice(1)).toEqual(['', 'version: 1', ''])
  })
})

describe('tollgate export', () => {
  it('prints a file from which an empty site becomes the same', async () => {
    withSecrets()
    const first = await openOperated()
    await first.apply(whole)
    const model = { name: 'openai-eu', type: 1, key: 'sk-of-the-same-name', models: 'o3', group: 'default' }
    await first.ask('POST', '/api/channel/', { ...model, param_override: '{"seed": 12345678901234567890}' })
    const exported = await first.export()
    expect(exported).not.toMatch(/sk-|mail-secret-text/)
    expect(exported).toContain(`key: \${TOLLGATE_CHANNEL_OPENAI_EU_2}`)

    const names = [...exported.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)
    expect(names).toHaveLength(4)
    for (const name of names) vi.stubEnv(name, `sk-secret-of-${name}`)
    const second = await openOperated()
    expect((await second.apply(exported)).code).toBe(0)
    expect(await second.export()).toBe(exported)
    expect((await second.apply(exported, '--check')).code).toBe(0)
    expect(readFileSync(join(folder, 'site.yaml'), 'utf8')).toContain('12345678901234567890')
  })
})
