import { StatusBadge } from '#web/components/display/status-badge.tsx'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import type { LiveNode } from '#web/lib/api/contract.ts'
import { formatInteger, formatPercent } from '#web/lib/text/format.ts'
import { formatMinute } from '#web/lib/text/format-time.ts'
import { useTimeZone } from '#web/lib/time/time-zone.ts'
import classes from './live.module.css'
import { useLiveMessages } from './messages.ts'
import { bytesText, rateText, shortMsText } from './texts.ts'

const tones = { ready: 'good', refusing: 'bad', stopping: 'warn' } as const
/** Seconds for which a start is news. */
const newsSeconds = 3600

/** Every process that answers calls. */
export const Nodes = ({ nodes, now }: { nodes: readonly LiveNode[]; now: number }) => {
  const say = useLiveMessages()
  const zone = useTimeZone()
  const versions = [...new Set(nodes.map(({ version }) => version))].join(', ')
  // Workers of a node after the first are called `name/2`, `name/3` …
  const names = new Set(nodes.map(({ name }) => name.replace(/\/\d+$/, '')))
  return (
    <section className="panel">
      <div className={classes.head}>
        <h2>{say('nodes')}</h2>
        <span>{say('nodesOf', { nodes: names.size, processes: nodes.length, version: versions })}</span>
      </div>
      <ScrollFrame className={classes.frame} label={say('nodes')}>
        <table className={`${classes.table} ${classes.nodes} num`}>
          <thead>
            <tr>
              <th scope="col" data-text>
                {say('nodes')}
              </th>
              <th scope="col" data-text>
                {say('state')}
              </th>
              <th scope="col" data-text>
                {say('cpu')}
              </th>
              <th scope="col">{say('callsColumn')}</th>
              <th scope="col">{say('runningColumn')}</th>
              <th scope="col">{say('memory')}</th>
              <th scope="col">{say('loopDelay')}</th>
            </tr>
          </thead>
          <tbody>
            {nodes.map((node) => (
              <tr key={`${node.name} ${node.pid}`}>
                <th scope="row" data-text>
                  {node.name}
                  <small>{say('process', { pid: node.pid })}</small>
                </th>
                <td data-text>
                  <StatusBadge tone={tones[node.state]} label={say(node.state)} />
                  {now - node.started_at < newsSeconds && (
                    <span className={classes.soft}>
                      {say('restarted', { time: formatMinute(node.started_at, zone) })}
                    </span>
                  )}
                </td>
                <td data-text data-label={say('cpu')}>
                  <span className={classes.meter} aria-hidden="true">
                    <i style={{ width: `${Math.min(100, node.cpu * 100)}%` }} />
                  </span>
                  {formatPercent(node.cpu, 0)}
                </td>
                <td data-label={say('callsColumn')}>{rateText(node.calls_per_second)}</td>
                <td data-label={say('runningColumn')}>{formatInteger(node.running)}</td>
                <td data-label={say('memory')}>{bytesText(node.memory)}</td>
                <td data-label={say('loopDelay')}>{shortMsText(node.loop_delay_p99_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
    </section>
  )
}
