import { sourceSettings } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { print } from '#server/billing/decimal.ts'
import type { ReportLine } from '../report.ts'
import { awsCsv, readUsageType } from './aws.ts'
import { azureCsv, readMeter } from './azure.ts'
import { mappedCsv, previewCsv } from './mapped-csv.ts'

const settings = sourceSettings.parse({})
const day = Date.UTC(2026, 10, 5) / 1000

const shown = (lines: readonly ReportLine[]) =>
  lines.map(({ cost, ...line }) => ({ ...line, cost: cost === null ? null : print(cost) }))

describe('an export of Azure', () => {
  const header =
    'Date,MeterCategory,MeterSubCategory,MeterName,Quantity,UnitOfMeasure,CostInBillingCurrency,BillingCurrency'
  const rows = [
    '11/05/2026,Foundry Models,Azure OpenAI,gpt 4.1 Inp glbl Tokens,12.5,1K,0.025,USD',
    '11/05/2026,Foundry Models,Azure OpenAI,gpt 4.1 cached Inp glbl Tokens,40,1K,0.02,USD',
    '11/05/2026,Foundry Models,Azure OpenAI,gpt 4.1 Outp glbl Tokens,0.003,1M,0.024,USD',
    '11/05/2026,Foundry Models,Azure OpenAI,Code Interpreter Session,2,1,0.06,USD',
    '11/05/2026,Storage,Blob,LRS Data Stored,9,1 GB,0.5,USD',
  ]

  it('has a line for each meter of AI services', async () => {
    const lines = shown(await azureCsv([header, ...rows].join('\n'), settings))
    expect(lines).toMatchObject([
      { day, model: 'gpt 4.1', input: 12_500, cacheRead: 0, output: 0, cost: '0.025' },
      { day, model: 'gpt 4.1', input: 0, cacheRead: 40_000, output: 0, cost: '0.02' },
      { day, model: 'gpt 4.1', input: 0, output: 3_000, cost: '0.024' },
      { day, model: '', input: null, cost: '0.06' },
    ])
  })

  it.each([
    ['gpt-4o-0806-Inp-glbl Tokens', 'input', 'gpt-4o-0806'],
    ['GPT 5 Mini outpt Glbl 1M Tokens', 'output', 'GPT 5 Mini'],
    ['o3 0416 Outp Data Zone Tokens', 'output', 'o3 0416'],
    ['cached Inp glbl Tokens', 'cacheRead', 'gpt-4o'],
  ])('names the meter %s', (meter, kind, model) => expect(readMeter(meter, 'gpt-4o')).toEqual({ kind, model }))

  it('in another currency needs its rate', async () => {
    const foreign = [header, rows[0]?.replace('USD', 'EUR')].join('\n')
    await expect(azureCsv(foreign, settings)).rejects.toThrow('The report is in EUR')
    const [line] = shown(await azureCsv(foreign, { ...settings, per_dollar: '0.8' }))
    expect(line?.cost).toBe('0.03125')
  })

  it('without its columns is refused with their names', async () => {
    await expect(azureCsv('Date,Cost\n11/05/2026,1', settings)).rejects.toThrow('no column MeterName, Quantity')
  })
})

describe('a Cost and Usage Report of AWS', () => {
  it.each([
    ['line_item_', '_', (name: string) => name],
    [
      'lineItem/',
      '',
      (name: string) => name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    ],
  ])('has a line for each meter of Bedrock, with columns such as %s…', async (prefix, _, cased) => {
    const names = ['usage_start_date', 'product_code', 'usage_type', 'usage_amount', 'unblended_cost', 'line_item_type']
    const header = [...names.map((name) => `${prefix}${cased(name)}`), 'pricing_unit'].join()
    const rows = [
      '2026-11-05T00:00:00Z,AmazonBedrock,USE1-Claude4.6Sonnet-input-tokens,12,0.036,Usage,1K tokens',
      '2026-11-05T00:00:00Z,AmazonBedrock,USE1-Claude4.6Sonnet-cache-read-input-token-count,30,0.009,Usage,1K tokens',
      '2026-11-05T01:00:00Z,AmazonBedrock,USE1-Claude4.6Sonnet-cache-write-input-token-count,1,0.00375,Usage,',
      '2026-11-05T01:00:00Z,AmazonBedrock,USE1-Claude4.6Sonnet-output-tokens,2.5,0.0375,Usage,1K tokens',
      '2026-11-05T01:00:00Z,AmazonBedrock,,0,0.01,Tax,',
      '2026-11-05T01:00:00Z,AmazonEC2,BoxUsage,1,0.5,Usage,Hrs',
    ]
    const lines = shown(await awsCsv([header, ...rows].join('\n'), settings))
    expect(lines).toMatchObject([
      { day, model: 'Claude4.6Sonnet', input: 12_000, cost: '0.036' },
      { day, model: 'Claude4.6Sonnet', cacheRead: 30_000, cost: '0.009' },
      { day, model: 'Claude4.6Sonnet', cacheWrite: 1_000, cost: '0.00375' },
      { day, model: 'Claude4.6Sonnet', output: 2_500, cost: '0.0375' },
    ])
  })

  it.each([
    ['USE1-openai.gpt-oss-120b-mantle-input-tokens-standard', 'input', 'openai.gpt-oss-120b'],
    ['EUC1-Claude4Sonnet-cache-write-input-token-count-cross-region-global', 'cacheWrite', 'Claude4Sonnet'],
    ['USE1-MP:USE1_OutputTokenCount-Units', 'output', 'Claude 3.5 Sonnet'],
  ])('names the meter %s', (usageType, kind, model) => {
    expect(readUsageType(usageType, 'Claude 3.5 Sonnet (Amazon Bedrock Edition)')).toEqual({ kind, model })
  })
})

describe('any CSV file', () => {
  const text =
    'Date;Model;Requests;Prompt Tokens;Cached Tokens;Completion Tokens;Amount\n2026-11-05;m;3;100;60;9;12,5\n;;;;;;12'

  it('shows its header, first rows and what its columns seem to mean', () => {
    expect(previewCsv(text)).toEqual({
      header: ['Date', 'Model', 'Requests', 'Prompt Tokens', 'Cached Tokens', 'Completion Tokens', 'Amount'],
      rows: [
        ['2026-11-05', 'm', '3', '100', '60', '9', '12,5'],
        ['', '', '', '', '', '', '12'],
      ],
      columns: {
        day: 'Date',
        model: 'Model',
        calls: 'Requests',
        input: 'Prompt Tokens',
        cache_read: 'Cached Tokens',
        output: 'Completion Tokens',
        cost: 'Amount',
      },
    })
  })

  it('is read by the chosen columns; totals without a day are left out', async () => {
    const columns = {
      day: 'Date',
      model: 'Model',
      calls: 'Requests',
      input: 'Prompt Tokens',
      cache_read: 'Cached Tokens',
    }
    const chosen = { ...settings, columns, per_dollar: '100' }
    expect(shown(await mappedCsv(text, chosen))).toMatchObject([
      { day, model: 'm', calls: 3, input: 40, cacheRead: 60, output: null, cost: null },
    ])
    const apart = { ...chosen, input_includes_cache: false }
    expect(shown(await mappedCsv(text, apart))).toMatchObject([{ input: 100, cacheRead: 60 }])
  })

  it('is refused where a chosen column is missing', async () => {
    const chosen = { ...settings, columns: { day: 'Date', cost: 'Price' } }
    await expect(mappedCsv(text, chosen)).rejects.toThrow('no column Price')
    await expect(mappedCsv(text, settings)).rejects.toThrow('no column day')
  })
})
