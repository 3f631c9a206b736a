import { Button, Group, Modal } from '@mantine/core'
import classes from './batch.module.css'
import { type Chosen, countText } from './chosen.ts'
import { useBatchMessages } from './messages.ts'
import { type BatchRows, type BatchTally, callsFor } from './tally.ts'

/** The most reasons that are listed. */
const mostListed = 200

/** The running action, its rows and its progress. */
export interface Job<Act> {
  act: Act
  chosen: Chosen
  tally: BatchTally
  running: boolean
}

/** How far it is, and a way to stop it. */
export const Progress = ({ job, onStop }: { job: Job<unknown>; onStop: () => void }) => {
  const say = useBatchMessages()
  const { chosen, tally } = job
  const handled = tally.done + tally.failed.length
  const text = say('progress', { count: handled, total: countText(chosen) })
  return (
    <Modal
      opened
      onClose={onStop}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={<strong className="strong">{say('running')}</strong>}
    >
      <progress className={classes.bar} value={handled} max={Math.max(chosen.count, handled)} aria-label={text} />
      <p className="num" aria-live="polite">
        {text}
      </p>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onStop} data-autofocus>
          {say('stop')}
        </Button>
      </Group>
    </Modal>
  )
}

interface SummaryProps {
  job: Job<unknown>
  onClose: () => void
  onAgain: (calls: readonly BatchRows[]) => void
}

/** The failed rows with their reasons, and a button that tries only those, or the remaining ones, again. */
export const Summary = ({ job, onClose, onAgain }: SummaryProps) => {
  const say = useBatchMessages()
  const { done, failed, left, problem } = job.tally
  const retry = [...callsFor(failed.map(({ id }) => id)), ...left]
  return (
    <Modal
      opened
      onClose={onClose}
      closeButtonProps={{ 'aria-label': say('close') }}
      title={<strong className="strong">{say('summary', { done, failed: failed.length })}</strong>}
    >
      {left.length > 0 && <p>{problem === undefined ? say('stopped') : say('broke', { reason: problem })}</p>}
      <ul className={classes.failed}>
        {failed.slice(0, mostListed).map(({ id, name, reason }) => (
          <li key={id}>
            <strong className="strong">{name || `#${id}`}</strong> <span>{reason}</span>
          </li>
        ))}
        {failed.length > mostListed && <li className="muted">{say('more', { count: failed.length - mostListed })}</li>}
      </ul>
      <Group justify="flex-end" mt="lg" gap={8}>
        <Button onClick={onClose}>{say('close')}</Button>
        <Button variant="filled" onClick={() => onAgain(retry)} data-autofocus>
          {left.length > 0 ? say('goOn') : say('retry', { count: failed.length })}
        </Button>
      </Group>
    </Modal>
  )
}
