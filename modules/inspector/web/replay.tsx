import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useHeld } from '#web/components/form/held.ts'
import { call } from '#web/lib/api/api.ts'
import { type CaptureDetails, calls } from '#web/lib/api/contract.ts'
import { useAction } from '#web/lib/query.ts'
import classes from './inspector.module.css'
import { useInspectorMessages } from './messages.ts'
import { TargetSelect } from './target-select.tsx'

/** Sends a capture again, to another channel or model. */
export const Replay = ({ capture, onReplayed }: { capture: CaptureDetails; onReplayed: (id: number) => void }) => {
  const say = useInspectorMessages()
  const [channel, setChannel] = useState('')
  const [model, setModel] = useState('')
  const held = useHeld()
  const send = useAction(
    () => call(calls.replayCapture, { params: { id: capture.id }, body: { channel_id: Number(channel) || 0, model } }),
    { refresh: [calls.listCaptures], onDone: ({ id }) => onReplayed(id) },
  )
  const mayNot = {
    not_this_kind: say('replayNotThisKind'),
    not_whole: say('replayNotWhole'),
    possible: capture.pinned ? undefined : say('replayPinFirst'),
  }[capture.replay]
  return (
    <section>
      <h3>{say('replayTitle')}</h3>
      <p className={classes.note}>{mayNot ?? say('replayText')}</p>
      {mayNot === undefined && (
        <div className={classes.actions}>
          <TargetSelect kind="channel" label={say('otherChannel')} value={channel} onChange={setChannel} clearable />
          <TextInput
            label={say('otherModel')}
            value={model}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
          <Button variant="filled" loading={send.busy} onClick={() => void send.run()} {...held}>
            {say('send')}
          </Button>
        </div>
      )}
      {capture.replays.length > 0 && (
        <p className={classes.actions}>
          {capture.replays.map((id) => (
            <Button key={id} size="compact-sm" onClick={() => onReplayed(id)}>
              {say('openReplay', { id })}
            </Button>
          ))}
        </p>
      )}
    </section>
  )
}
