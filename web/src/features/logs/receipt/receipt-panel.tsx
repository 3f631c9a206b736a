import { ownMember } from '@tollgate/contract/own-member'
import type { Receipt } from '../../../lib/api/contract.ts'
import { decimal, printDecimal } from '../../../lib/decimal.ts'
import { useStatus } from '../../../lib/status.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { useLogMessages } from '../messages.ts'
import classes from '../sheet/log-sheet.module.css'
import { hasRounding, printAmount, printUnitPrice, type ReceiptRow, receiptTable } from './receipt.ts'
import { type SayReceipt, useReceiptMessages } from './receipt-messages.ts'

const items = {
  input: 'item_input',
  cache_read: 'item_cache_read',
  cache_write: 'item_cache_write',
  cache_write_1h: 'item_cache_write_1h',
  audio_input: 'item_audio_input',
  image: 'item_image',
  output: 'item_output',
  audio_output: 'item_audio_output',
  call: 'item_call',
  reasoning: 'item_reasoning',
  explicit_cache_read: 'item_explicit_cache_read',
  audio_cache_read: 'item_audio_cache_read',
  image_input: 'item_image_input',
  image_cache_read: 'item_image_cache_read',
  video_input: 'item_video_input',
  image_output: 'item_image_output',
  video_output: 'item_video_output',
  duration: 'item_duration',
  characters: 'item_characters',
  pages: 'item_pages',
  queries: 'item_queries',
  request: 'item_request',
} as const

const tools = {
  web_search: 'tool_web_search',
  web_search_preview: 'tool_web_search',
  web_fetch: 'tool_web_fetch',
  file_search: 'tool_file_search',
  code_interpreter: 'tool_code_interpreter',
  image_generation: 'tool_image_generation',
  input_transcription: 'tool_input_transcription',
  cache_storage: 'tool_cache_storage',
  x_search: 'tool_x_search',
  attachment_search: 'tool_attachment_search',
  live_search: 'tool_live_search',
  google_search: 'tool_google_search',
  google_search_query: 'tool_google_search_query',
  google_maps: 'tool_google_maps',
  search_low: 'tool_search',
  search_medium: 'tool_search',
  search_high: 'tool_search',
  search_query: 'tool_search_query',
} as const

type Labels = Readonly<Record<string, Parameters<SayReceipt>[0]>>

const labelOf = (name: string, labels: Labels, say: SayReceipt): string => {
  const label = ownMember(labels, name)
  return label ? say(label) : name
}

const nameOf = ({ item, isTool }: ReceiptRow, say: SayReceipt): string => labelOf(item, isTool ? tools : items, say)

const figures = {
  prompt_tokens: 'figure_prompt_tokens',
  completion_tokens: 'figure_completion_tokens',
  search_units: 'figure_search_units',
} as const

/** Reports may be fractions, or too large to be written out. */
const formatFigure = (value: number): string => (Number.isSafeInteger(value) ? formatInteger(value) : String(value))

/** Usage that the upstream reported and that was not billed, in one line. */
const disputedFigures = (disputed: NonNullable<Receipt['disputed']>, say: SayReceipt): string =>
  Object.entries(disputed)
    .map(([name, value]) => `${labelOf(name, { ...tools, ...figures }, say)} ${formatFigure(value)}`)
    .join(', ')

const reasonKinds = {
  usage: 'reason_usage',
  cache: 'reason_cache',
  geo: 'reason_geo',
  tool: 'reason_tool',
  tier: 'reason_tier',
  version: 'reason_version',
  model: 'reason_model',
  price: 'reason_price',
} as const

/** Part of the answer that has no price yet, with its kind. */
const reasonText = ({ kind, name }: NonNullable<Receipt['provisional']>[number], say: SayReceipt): string =>
  say('reason', { name, kind: labelOf(kind, reasonKinds, say) })

/** Source of a receipt's prices; empty if unknown. */
export const PriceSource = ({ receipt: { price_version: version } }: { receipt: Receipt }) => {
  const say = useReceiptMessages()
  if (version === undefined) return null
  return say('priceVersion', { version: version === 'operator' ? say('byOperator') : version })
}

/** The charge by line: quantity × unit price × group = amount; the lines add up to the exact charge. */
export const ReceiptPanel = ({ receipt }: { receipt: Receipt }) => {
  const say = useReceiptMessages()
  const sayLog = useLogMessages()
  const { display_in_currency: currency } = useStatus()
  const table = receiptTable(receipt)
  const { tier, lines, disputed, context_above: above } = receipt
  const isPictures = lines.some(({ item }) => item === 'image')
  const priceOf = (row: ReceiptRow): string => {
    const price = printUnitPrice(row, table, currency)
    if (row.per !== undefined) return say(row.per, { price })
    return row.isTool ? say('perThousand', { price }) : price
  }
  return (
    <>
      <div className={classes.receiptFrame}>
        <table className={`num ${classes.receipt}`} aria-label={sayLog('receipt')}>
          <thead>
            <tr>
              <th scope="col">{say('item')}</th>
              <th scope="col">{say('quantity')}</th>
              <th scope="col">
                {say(isPictures ? 'pictureUnitPrice' : receipt.mode === 'call' ? 'callPrice' : 'unitPrice')}
              </th>
              <th scope="col">{say(tier ? 'tierAndGroup' : 'groupFactor')}</th>
              <th scope="col">{say('amount')}</th>
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a frozen receipt never move.
              <tr key={`${at} ${row.item}`}>
                <td>
                  {nameOf(row, say)}
                  {row.model !== undefined && <span className={classes.receiptModel}>{row.model}</span>}
                </td>
                <td>{formatInteger(row.quantity)}</td>
                <td>{priceOf(row)}</td>
                <td>{row.factors.map((factor) => `× ${printDecimal(factor)}`).join(' ')}</td>
                <td>{printAmount(row.amount, table, currency)}</td>
              </tr>
            ))}
            {hasRounding(table) && (
              <tr>
                <td colSpan={4}>{say('rounding')}</td>
                <td>{printAmount(table.rounding, table, currency)}</td>
              </tr>
            )}
          </tbody>
          <tfoot>
            <tr>
              <td colSpan={4}>{say('totalCharge')}</td>
              <td>{printAmount(table.total, table, currency)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      <p className={classes.note}>
        {tier && `${say('tier', { tier: tier.name, ratio: printDecimal(decimal(tier.ratio)) })} `}
        {receipt.model !== undefined && `${say('answeredBy', { model: receipt.model })} `}
        {above !== undefined && `${say('contextAbove', { tokens: formatInteger(above) })} `}
        {table.rows.length === 0 ? say('freeCall') : say(receipt.estimated ? 'estimated' : 'reported')}
      </p>
      {receipt.provisional && (
        <p className={classes.note} role="note">
          {say('provisional', { names: receipt.provisional.map((reason) => reasonText(reason, say)).join(', ') })}
        </p>
      )}
      {disputed && (
        <p className={classes.note} role="note">
          {say('disputed', { figures: disputedFigures(disputed, say) })}
        </p>
      )}
    </>
  )
}
