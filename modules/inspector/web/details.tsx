import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Figures } from '#web/components/display/figures.tsx'
import { CallQuota } from '#web/components/display/quota.tsx'
import { TimeText, useMomentText } from '#web/components/display/time/time-text.tsx'
import { useHeld } from '#web/components/form/held.ts'
import { Sheet } from '#web/components/sheet.tsx'
import { type CaptureDetails, calls } from '#web/lib/api/contract.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { formatDuration, formatInteger } from '#web/lib/text/format.ts'
import { Bodies } from './bodies.tsx'
import { Comparison } from './comparison.tsx'
import classes from './inspector.module.css'
import { useInspectorMessages } from './messages.ts'
import { Replay } from './replay.tsx'

const Changes = ({ capture }: { capture: CaptureDetails }) => {
  const say = useInspectorMessages()
  const { changes, content } = capture
  return (
    <section>
      <h3>{say('changes')}</h3>
      {changes === undefined ? (
        <p className={classes.note}>{say('unknownChanges')}</p>
      ) : changes.length === 0 ? (
        <p className={classes.note}>{say('noChanges')}</p>
      ) : (
        <ul className={`${classes.changes} mono`}>
          {changes.map(({ path, before, after }) => (
            <li key={path}>
              {path}: <del>{before ?? say('absent')}</del> → <ins>{after ?? say('absent')}</ins>
            </li>
          ))}
        </ul>
      )}
      {content.unsupported.length > 0 && (
        <p className={classes.note}>{say('dropped', { fields: content.unsupported.join(', ') })}</p>
      )}
    </section>
  )
}

const Actions = ({ capture, onGone }: { capture: CaptureDetails; onGone: () => void }) => {
  const say = useInspectorMessages()
  const moment = useMomentText()
  const refresh = [calls.listCaptures, calls.getCapture]
  const held = useHeld()
  const pin = useAction(calls.pinCapture, { refresh })
  const remove = useAction(calls.deleteCapture, { refresh: [calls.listCaptures], onDone: onGone })
  const params = { id: capture.id }
  return (
    <div className={classes.actions}>
      <Button loading={pin.busy} onClick={() => void pin.run({ params, body: { pinned: !capture.pinned } })} {...held}>
        {say(capture.pinned ? 'unpin' : 'pin')}
      </Button>
      <Button loading={remove.busy} onClick={() => void remove.run({ params })} {...held}>
        {say('delete')}
      </Button>
      <Link to="/log" search={{ request: capture.request_id } as never} className="text-button">
        {say('openLog')}
      </Link>
      <span className={classes.note}>{say('expires', { time: moment(capture.expires_time, true) })}</span>
    </div>
  )
}

/** One captured call: what came and went, side by side. */
export const CaptureSheet = (props: { id: number; onClose: () => void; onOpen: (id: number) => void }) => {
  const say = useInspectorMessages()
  // Each reading is an entry of the audit log, so nothing is read again by itself.
  const read = useEndpoint(calls.getCapture, { params: { id: props.id } }, { staleTimeMs: Number.POSITIVE_INFINITY })
  const capture = read.data?.id === props.id ? read.data : undefined
  return (
    <Sheet
      opened
      onClose={props.onClose}
      title={say('name', { id: props.id })}
      subtitle={capture && <TimeText at={capture.created_time} />}
      width={1180}
      loading={!capture && !read.error}
      error={capture ? undefined : read.error}
      onRetry={() => void read.refetch()}
    >
      {capture && (
        <div className={classes.details}>
          <Figures
            figures={[
              { label: say('status'), value: String(capture.status || '—') },
              { label: say('model'), value: capture.model },
              {
                label: say('tokens'),
                value: `${formatInteger(capture.prompt_tokens)} + ${formatInteger(capture.completion_tokens)}`,
              },
              { label: say('cost'), value: <CallQuota value={capture.quota} /> },
              { label: say('took'), value: formatDuration(capture.took_ms) },
            ]}
          />
          <Actions capture={capture} onGone={props.onClose} />
          {capture.replay_of > 0 && <Comparison replay={capture} />}
          <Changes capture={capture} />
          <Bodies key={capture.id} content={capture.content} />
          <Replay capture={capture} onReplayed={props.onOpen} />
        </div>
      )}
    </Sheet>
  )
}
