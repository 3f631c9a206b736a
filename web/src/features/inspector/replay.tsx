import { Button, NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { type CaptureDetails, calls } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import classes from './inspector.module.css'
import { useInspectorMessages } from './messages.ts'

/** Sends a capture again, to another channel or model. */
export const Replay = ({ capture, onReplayed }: { capture: CaptureDetails; onReplayed: (id: number) => void }) => {
  const say = useInspectorMessages()
  const [channel, setChannel] = useState<number | string>('')
  const [model, setModel] = useState('')
  const send = useAction(
    () => call(calls.replayCapture, { params: { id: capture.id }, body: { channel_id: Number(channel) || 0, model } }),
    { refresh: [calls.listCaptures], onDone: ({ id }) => onReplayed(id) },
  )
  const mayNot = !capture.replayable ? say('replayNotWhole') : capture.pinned ? undefined : say('replayPinFirst')
  return (
    <section>
      <h3>{say('replayTitle')}</h3>
      <p className={classes.note}>{mayNot ?? say('replayText')}</p>
      {mayNot === undefined && (
        <div className={classes.actions}>
          <NumberInput
            aria-label={say('otherChannel')}
            placeholder={say('otherChannel')}
            min={1}
            hideControls
            value={channel}
            onChange={setChannel}
          />
          <TextInput
            aria-label={say('otherModel')}
            placeholder={say('otherModel')}
            value={model}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
          <Button variant="filled" loading={send.busy} onClick={() => void send.run()}>
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
