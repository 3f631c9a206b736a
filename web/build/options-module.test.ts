import * as registry from '@tollgate/contract/options/index'
import { expect, it } from 'vitest'
import { printOptions } from './options-module.ts'

const read = async (id: string): Promise<Record<string, unknown>> =>
  import(`data:text/javascript,${encodeURIComponent(printOptions(id, registry as never) ?? '')}`)

it('prints how every option is drawn, without what checks it and without long tables', async () => {
  const { sections } = (await read('virtual:options')) as {
    sections: { name: string; options: Record<string, unknown> }[]
  }
  const options = Object.assign({}, ...sections.map((section) => section.options))
  expect(Object.keys(options)).toEqual(registry.optionKeys)
  expect(options.RetryTimes).toMatchObject({ control: 'integer', see: 10, write: 100, standard: '0' })
  expect(options.RetryTimes).not.toHaveProperty('schema')
  expect(options.SMTPToken).toMatchObject({ control: 'secret', secret: true })
  expect(options.ServiceTierRatios).not.toHaveProperty('standard')
})

it('prints what the options of one tab say as a module of its own', async () => {
  const { words } = (await read('virtual:options/system')) as { words: { options: Record<string, { help?: unknown }> } }
  expect(words.options.SMTPServer).toBeDefined()
  expect(words.options.RetryTimes).toBeUndefined()
  const { help } = (await read('virtual:options/help')) as { help: Record<string, unknown> }
  for (const [key, { help: text }] of Object.entries(words.options)) expect(help[key]).toEqual(text)
})

it('offers nothing else', () => {
  expect(printOptions('virtual:options/nothing', registry as never)).toBeUndefined()
})
