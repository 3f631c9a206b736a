import { parseArgs } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { ModuleCommand } from '../../server/src/app/modules/module-command.ts'
import { runTollgate } from './run.ts'

const ran: string[] = []
const command = (name: string, run: (args: readonly string[]) => Promise<number | undefined>): ModuleCommand => ({
  name,
  position: 0,
  summary: `does ${name}`,
  load: async () => run,
})
const table = [
  command('serve', async () => {
    ran.push('serve')
    return undefined
  }),
  command('import', async (args) => {
    ran.push(args.join(' '))
    return 0
  }),
  command('parse', async (args) => {
    parseArgs({ args: [...args], options: { from: { type: 'string' } } })
    return 0
  }),
  command('fail', async () => {
    throw new Error('no such file')
  }),
]

const tollgate = async (...args: string[]) => {
  ran.length = 0
  const lines: string[] = []
  const wrong: string[] = []
  const code = await runTollgate(table, args, { out: (line) => lines.push(line), error: (line) => wrong.push(line) })
  return { code, ran: [...ran], text: lines.join('\n'), wrong: wrong.join('\n') }
}

describe('tollgate', () => {
  it('serves without a command', async () => {
    expect(await tollgate()).toEqual({ code: undefined, ran: ['serve'], text: '', wrong: '' })
  })

  it('gives a command what follows it', async () => {
    expect(await tollgate('import', 'one-api', '--dry-run')).toEqual({
      code: 0,
      ran: ['one-api --dry-run'],
      text: '',
      wrong: '',
    })
  })

  it('names its commands', async () => {
    const { code, text } = await tollgate('--help')
    expect(code).toBe(0)
    expect(text).toContain('  import  does import')
  })

  it('refuses a command that does not exist', async () => {
    const { code, wrong } = await tollgate('toString')
    expect(code).toBe(2)
    expect(wrong).toContain('There is no command "toString".')
  })

  it('says which option a command does not have, and where its options are', async () => {
    expect(await tollgate('parse', '--form', 'x')).toMatchObject({
      code: 2,
      text: '',
      wrong: "tollgate parse: Unknown option '--form'. See tollgate parse --help.",
    })
  })

  it('says why a command failed, without a stack', async () => {
    expect(await tollgate('fail')).toMatchObject({ code: 1, text: '', wrong: 'tollgate fail: no such file' })
  })
})
