import { Button } from '@mantine/core'
import { useState } from 'react'
import comparison from '#web/components/comparison/comparison.module.css'
import { Figures } from '#web/components/display/figures.tsx'
import { Quota } from '#web/components/display/quota.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatInteger, formatPercent } from '#web/lib/text/format.ts'
import classes from './dual-run.module.css'
import { DualRunSheet } from './dual-run-sheet.tsx'
import { useDualRunMessages } from './messages.ts'

const refreshMs = 10_000
const shown = 25

/** How often a second gateway answers the same; nothing where none is set and nothing was compared. */
export const DualRun = () => {
  const say = useDualRunMessages()
  const [opened, setOpened] = useState(0)
  const { data: sums } = useEndpoint(calls.getDualRunSums, {}, { refreshEveryMs: refreshMs })
  const query = { p: 1, page_size: shown, differing: '1' } as const
  const { data: differing } = useEndpoint(calls.listDualRuns, { query }, { refreshEveryMs: refreshMs })
  if (sums === undefined || (!sums.on && sums.compared + sums.failed === 0)) return null
  const share = (count: number): string => (sums.compared === 0 ? '—' : formatPercent(count / sums.compared))
  return (
    <section className={`panel ${classes.dualRun}`} aria-label={say('title')}>
      <h2>{say('title')}</h2>
      <Figures
        figures={[
          { label: say('compared'), value: formatInteger(sums.compared) },
          { label: say('failed'), value: formatInteger(sums.failed) },
          { label: say('sameText'), value: share(sums.same_text) },
          { label: say('sameTools'), value: share(sums.same_tools) },
          { label: say('sameFinish'), value: share(sums.same_finish) },
          { label: say('sameUsage'), value: share(sums.same_usage) },
          { label: say('bill'), value: <Quota value={sums.quota} /> },
          { label: say('secondBill'), value: <Quota value={sums.second_quota} /> },
          { label: say('today'), value: <Quota value={sums.today} /> },
        ]}
      />
      <h2>{say('differing')}</h2>
      {differing?.items.length === 0 && <p className={classes.note}>{say('none')}</p>}
      <ScrollFrame label={say('differing')} className={classes.body}>
        <table className={comparison.table} aria-label={say('differing')}>
          <tbody>
            {differing?.items.map((row) => (
              <tr key={row.id}>
                <td>
                  <TimeText at={row.created_time} />
                </td>
                <td className="mono">{row.model}</td>
                <td className="num">{row.status || '—'}</td>
                <td>
                  {[
                    !row.same_text && say('sameText'),
                    !row.same_tools && say('sameTools'),
                    !row.same_finish && say('sameFinish'),
                    !row.same_usage && say('sameUsage'),
                  ]
                    .filter((text) => text !== false)
                    .map((text) => `${text} ✗`)
                    .join(' · ')}
                </td>
                <td>
                  <Button
                    size="compact-sm"
                    aria-label={`${say('open')} ${say('name', { id: row.id })}`}
                    onClick={() => setOpened(row.id)}
                  >
                    {say('open')}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
      {opened > 0 && <DualRunSheet id={opened} onClose={() => setOpened(0)} />}
    </section>
  )
}
