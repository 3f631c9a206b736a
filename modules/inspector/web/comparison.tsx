import comparison from '#web/components/comparison/comparison.module.css'
import { TextDifference } from '#web/components/comparison/text-difference.tsx'
import { CallQuota } from '#web/components/display/quota.tsx'
import type { CaptureDetails } from '#web/lib/api/contract.ts'
import { calls } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatDuration, formatInteger } from '#web/lib/text/format.ts'
import classes from './inspector.module.css'
import { useInspectorMessages } from './messages.ts'

/** A replay beside the call that was sent again: text, tokens, cost and time. */
export const Comparison = ({ replay }: { replay: CaptureDetails }) => {
  const say = useInspectorMessages()
  const read = useEndpoint(
    calls.getCapture,
    { params: { id: replay.replay_of } },
    { staleTimeMs: Number.POSITIVE_INFINITY },
  )
  const original = read.data?.id === replay.replay_of ? read.data : undefined
  if (original === undefined) return null
  const sides = [original, replay]
  return (
    <section>
      <h3>{say('compare')}</h3>
      <table className={comparison.table} aria-label={say('compare')}>
        <thead>
          <tr>
            <td />
            <th scope="col">{say('original')}</th>
            <th scope="col">{say('again')}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{say('model')}</th>
            {sides.map(({ id, model }) => (
              <td key={id} className="mono">
                {model}
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">{say('channel')}</th>
            {sides.map(({ id, channel_id }) => (
              <td key={id} className="num">
                #{channel_id}
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">{say('tokens')}</th>
            {sides.map(({ id, prompt_tokens, completion_tokens }) => (
              <td key={id} className="num">
                {formatInteger(prompt_tokens)} + {formatInteger(completion_tokens)}
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">{say('cost')}</th>
            {sides.map(({ id, quota }) => (
              <td key={id}>
                <CallQuota value={quota} />
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">{say('took')}</th>
            {sides.map(({ id, took_ms }) => (
              <td key={id} className="num">
                {formatDuration(took_ms)}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      {original.content.text === replay.content.text ? (
        <p className={classes.note}>{say('sameText')}</p>
      ) : (
        <TextDifference before={original.content.text} after={replay.content.text} />
      )}
    </section>
  )
}
