import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FactsHeading } from '#web/components/display/facts.tsx'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import { Sheet } from '#web/components/sheet.tsx'
import { calls, type ReconciledDay, type ReconciledSide } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { Amount, CauseText, Difference } from '../amount.tsx'
import { Day } from '../columns.tsx'
import { useReconciliationMessages } from '../messages.ts'
import classes from '../reconciliation.module.css'
import { useResultMessages } from './result-messages.ts'

const figures = [
  ['calls', 'calls'],
  ['input', 'prompt'],
  ['cache_read', 'cacheRead'],
  ['cache_write', 'cacheWrite'],
  ['output', 'completion'],
] as const satisfies readonly (readonly [keyof ReconciledSide, string])[]

const count = (value: number | null): string => (value === null ? '–' : formatInteger(value))

const Sides = ({ row }: { row: ReconciledDay }) => {
  const say = useResultMessages()
  return (
    <table className={classes.sides}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{say('tokens')}</span>
          </th>
          <th scope="col">{say('here')}</th>
          <th scope="col">{say('there')}</th>
        </tr>
      </thead>
      <tbody>
        {figures.map(([field, word]) => (
          <tr key={field}>
            <th scope="row">{say(word)}</th>
            <td className="num">{count(row.ours[field])}</td>
            <td className="num">{count(row.theirs[field])}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">{say('cost')}</th>
          <td>
            <Amount value={row.ours.cost} />
          </td>
          <td>
            <Amount value={row.theirs.cost} />
          </td>
        </tr>
        <tr>
          <th scope="row">{say('difference')}</th>
          <td />
          <td>
            <Difference value={row.difference} />
          </td>
        </tr>
      </tbody>
    </table>
  )
}

const linesAtOnce = 20

const Lines = ({ importId, row }: { importId: number; row: ReconciledDay }) => {
  const say = useResultMessages()
  const sayList = useReconciliationMessages()
  const [size, setSize] = useState(linesAtOnce)
  const lines = useEndpoint(calls.listReportLines, {
    params: { id: importId },
    query: { p: 1, page_size: size, day: row.day, model: row.model },
  })
  const left = Math.min((lines.data?.total ?? 0) - (lines.data?.items.length ?? 0), 100 - size)
  if (row.lines === 0) return <p className={classes.note}>{say('noLines')}</p>
  return (
    <div className={classes.lines}>
      <ScrollFrame label={say('lines')} className={classes.preview}>
        <table>
          <thead>
            <tr>
              <th scope="col">{sayList('model')}</th>
              {figures.map(([field, word]) => (
                <th key={field} scope="col">
                  {say(word)}
                </th>
              ))}
              <th scope="col">{say('cost')}</th>
              <th scope="col">{say('requestId')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.data?.items.map((line) => (
              <tr key={line.id}>
                <td>{line.model || sayList('otherCharges')}</td>
                {figures.map(([field]) => (
                  <td key={field} className="num">
                    {count(line[field])}
                  </td>
                ))}
                <td className="num">{line.cost === null ? '–' : `$${line.cost}`}</td>
                <td className="mono">{line.request_id}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
      {left > 0 && <Button onClick={() => setSize(100)}>{say('more', { count: left })}</Button>}
    </div>
  )
}

const lastSecond = 86_399

/** One model on one day: both sides, why they differ, and the lines of the report. */
export const DaySheet = (props: {
  importId: number
  row: ReconciledDay
  channelIds: readonly number[]
  onClose: () => void
}) => {
  const say = useResultMessages()
  const sayList = useReconciliationMessages()
  const navigate = useNavigate()
  const { row, channelIds } = props
  const range = `${row.day}-${row.day + lastSecond}`
  const openLogs = (): void => {
    const [channel] = channelIds
    void navigate({ to: '/log', search: { range, ...(channelIds.length === 1 ? { channel: String(channel) } : {}) } })
  }
  return (
    <Sheet
      opened
      title={row.model || sayList('otherCharges')}
      subtitle={
        <>
          <Day at={row.day} /> UTC
        </>
      }
      onClose={props.onClose}
      width={640}
      footer={<Button onClick={openLogs}>{say('logs')}</Button>}
    >
      {row.causes.length > 0 && (
        <ul className={classes.explained}>
          {row.causes.map((cause) => (
            <li key={cause.cause}>
              <CauseText cause={cause} say={sayList} />
              <br />
              {say(`explain_${cause.cause}`)}
            </li>
          ))}
        </ul>
      )}
      {!row.detailed && <p className={classes.note}>{say('rough')}</p>}
      <Sides row={row} />
      <FactsHeading>{say('lines')}</FactsHeading>
      <Lines importId={props.importId} row={row} />
    </Sheet>
  )
}
