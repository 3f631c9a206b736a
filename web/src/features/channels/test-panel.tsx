import { Button, Menu, Modal, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { Icon } from '../../components/icon.tsx'
import { useUiWords } from '../../components/messages.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { call } from '../../lib/api.ts'
import { type Channel, calls } from '../../lib/contract.ts'
import { notifyDone, notifyFailure } from '../../lib/notify.tsx'
import { useRefresh } from '../../lib/query.ts'
import { runAll } from '../../lib/run-all.ts'
import classes from './channels.module.css'
import { useChannelWords } from './messages.ts'
import { testChannel } from './test-channel.ts'

type Result = 'running' | { seconds: number } | { error: string }

const Outcome = ({ result }: { result: Result | undefined }) => {
  const say = useChannelWords()
  if (result === undefined) return <span />
  if (result === 'running') return <StatusBadge tone="info" label={say('testRunning')} />
  if ('seconds' in result)
    return <StatusBadge tone="good" label={say('testOk', { seconds: result.seconds.toFixed(2) })} />
  return <StatusBadge tone="bad" label="×" />
}

/** Tests the models of a channel, one or all, and keeps each result in sight. */
export const TestPanel = ({ channel, onClose }: { channel: Channel; onClose: () => void }) => {
  const say = useChannelWords()
  const ui = useUiWords()
  const refresh = useRefresh()
  const [filter, setFilter] = useState('')
  const [results, setResults] = useState<Readonly<Record<string, Result>>>({})
  const [busy, setBusy] = useState(false)
  const stopped = useRef(false)
  const models = channel.models.split(',').filter((name) => name.toLowerCase().includes(filter.trim().toLowerCase()))

  const keep = (model: string, result: Result): void => setResults((before) => ({ ...before, [model]: result }))
  const testOne = async (model: string): Promise<void> => {
    if (stopped.current) return
    keep(model, 'running')
    try {
      keep(model, { seconds: await testChannel(channel.id, model) })
    } catch (error) {
      keep(model, { error: error instanceof Error ? error.message : String(error) })
    }
  }
  const test = async (names: readonly string[]): Promise<void> => {
    stopped.current = false
    setBusy(true)
    await runAll(names, testOne)
    setBusy(false)
    await refresh(calls.browseChannels)
  }
  const stop = (): void => {
    stopped.current = true
  }
  const promote = async (model: string): Promise<void> => {
    try {
      await call(calls.updateChannel, { body: { id: channel.id, test_model: model } })
      notifyDone(say('testPromoted', { model }))
      await refresh(calls.browseChannels, calls.getChannel)
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Modal
      opened
      onClose={() => {
        stop()
        onClose()
      }}
      size="lg"
      closeButtonProps={{ 'aria-label': ui('close') }}
      title={
        <strong className="strong">
          {say('testModel')} · {channel.name}
        </strong>
      }
    >
      <div className={classes.testHead}>
        <TextInput
          aria-label={say('testSearch')}
          placeholder={say('testSearch')}
          leftSection={<Icon name="search" size={14} />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          data-autofocus
        />
        {busy ? (
          <Button leftSection={<Icon name="stop" size={14} />} onClick={stop}>
            {say('testStop')}
          </Button>
        ) : (
          <Button variant="filled" disabled={models.length === 0} onClick={() => void test(models)}>
            {say('testAll')}
          </Button>
        )}
      </div>
      {filter.trim() !== '' && <p className="faint">{say('testFound', { count: models.length })}</p>}
      <ul className={classes.tests}>
        {models.map((model) => {
          const result = results[model]
          const error = typeof result === 'object' && 'error' in result ? result.error : undefined
          return (
            <li key={model}>
              <code className="mono">{model}</code>
              <Outcome result={result} />
              <Button.Group>
                <Button
                  size="compact-sm"
                  aria-label={say('testOne', { model })}
                  disabled={result === 'running'}
                  onClick={() => void test([model])}
                >
                  {say('test')}
                </Button>
                <Menu>
                  <Menu.Target>
                    <Button size="compact-sm" px={6} aria-label={`${say('testPromote')} ${model}`}>
                      <Icon name="down" size={12} />
                    </Button>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item onClick={() => void promote(model)}>{say('testPromote')}</Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              </Button.Group>
              {error !== undefined && <span className={classes.testError}>{error}</span>}
            </li>
          )
        })}
      </ul>
    </Modal>
  )
}
