import { Button, ButtonGroup, Menu } from '@mantine/core'
import { Icon } from '../../../components/display/icon.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import classes from './test.module.css'
import type { TestResult, TestRow } from './test-matrix.ts'
import { useTestMessages } from './test-messages.ts'

const Outcome = ({ result }: { result: TestResult | undefined }) => {
  const say = useTestMessages()
  if (result === undefined) return <span />
  if (result.state === 'ok')
    return <StatusBadge tone="good" label={say('ok', { seconds: result.seconds.toFixed(2) })} />
  if (result.state === 'failed') return <StatusBadge tone="bad" label={say('failed')} />
  if (result.state === 'running') return <StatusBadge tone="info" label={say('running')} />
  return <StatusBadge tone="neutral" label={say(result.state)} />
}

interface TestLineProps {
  row: TestRow
  result: TestResult | undefined
  /** Says the channel, where there are several. */
  named: boolean
  /** The longest of all answers, in seconds, that bars are measured by. */
  longest: number
  onTest: (row: TestRow) => void
  onPromote: (row: TestRow) => void
}

/** One model of one channel with how it answered. */
export const TestLine = ({ row, result, named, longest, onTest, onPromote }: TestLineProps) => {
  const say = useTestMessages()
  const { channel, model } = row
  const values = { channel: channel.name, model }
  return (
    <li>
      <span className={classes.testName}>
        <code className="mono">{model}</code>
        {named && <small>{channel.name}</small>}
      </span>
      <Outcome result={result} />
      <ButtonGroup>
        <Button
          size="compact-sm"
          aria-label={named ? say('oneOf', values) : say('one', values)}
          disabled={result?.state === 'running' || result?.state === 'waiting'}
          onClick={() => onTest(row)}
        >
          {say('test')}
        </Button>
        <Menu>
          <Menu.Target>
            <Button size="compact-sm" px={6} aria-label={say('promoteOf', values)}>
              <Icon name="down" size={12} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onPromote(row)}>{say('promote')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </ButtonGroup>
      {result?.state === 'ok' && (
        <div className={`${classes.testFacts} ${classes.testDetails}`}>
          <meter
            className={classes.testBar}
            min={0}
            max={longest}
            value={result.seconds}
            aria-label={say('ok', { seconds: result.seconds.toFixed(2) })}
          />
          {result.first !== null && (
            <span className="num">{say('firstContent', { seconds: result.first.toFixed(2) })}</span>
          )}
          {result.answer !== '' && (
            <q className={classes.testAnswer} title={result.answer}>
              {result.answer}
            </q>
          )}
        </div>
      )}
      {result?.state === 'failed' && (
        <span data-failure className={`${classes.testError} ${classes.testDetails}`}>
          {result.error}
        </span>
      )}
      {result && result.state !== 'ok' && result.state !== 'failed' && <span className={classes.testDetails} />}
    </li>
  )
}
