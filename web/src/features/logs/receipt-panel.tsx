import type { Receipt } from '../../lib/contract.ts'
import { formatInteger } from '../../lib/format.ts'
import { useStatus } from '../../lib/status.ts'
import { printDecimal } from './decimal.ts'
import classes from './logs.module.css'
import { type SayLog, useLogWords } from './messages.ts'
import { hasRounding, printAmount, printUnitPrice, receiptTable } from './receipt.ts'

const items = {
  input: 'item_input',
  cache_read: 'item_cache_read',
  cache_write: 'item_cache_write',
  cache_write_1h: 'item_cache_write_1h',
  audio_input: 'item_audio_input',
  output: 'item_output',
  audio_output: 'item_audio_output',
  call: 'item_call',
} as const

const nameOf = (item: string, say: SayLog): string => (item in items ? say(items[item as keyof typeof items]) : item)

/** The charge taken apart: quantity × unit price × group = amount, adding up to exactly what was charged. */
export const ReceiptPanel = ({ receipt }: { receipt: Receipt }) => {
  const say = useLogWords()
  const { display_in_currency: currency } = useStatus()
  const table = receiptTable(receipt)
  const factor = `× ${printDecimal(table.groupRatio)}`
  return (
    <>
      <div className={classes.receiptFrame}>
        <table className={`num ${classes.receipt}`} aria-label={say('receipt')}>
          <thead>
            <tr>
              <th scope="col">{say('item')}</th>
              <th scope="col">{say('quantity')}</th>
              <th scope="col">{say(receipt.mode === 'call' ? 'callPrice' : 'unitPrice')}</th>
              <th scope="col">{say('groupFactor')}</th>
              <th scope="col">{say('amount')}</th>
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row) => (
              <tr key={row.item}>
                <td>{nameOf(row.item, say)}</td>
                <td>{formatInteger(row.quantity)}</td>
                <td>{printUnitPrice(row, table, currency)}</td>
                <td>{factor}</td>
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
              <td colSpan={2}>{say('totalCharge')}</td>
              <td colSpan={2}>{say('units', { count: printDecimal(table.total) })}</td>
              <td>{printAmount(table.total, table, currency)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      <p className={classes.note}>
        {receipt.lines.length === 0 ? say('freeCall') : say(receipt.estimated ? 'estimated' : 'reported')}
      </p>
    </>
  )
}
