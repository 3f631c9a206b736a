import { Button, Modal, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import { useUiMessages } from '../../../components/messages.ts'
import { call } from '../../../lib/api/api.ts'
import { type Channel, calls, channelStatus } from '../../../lib/api/contract.ts'
import { notifyFailure } from '../../../lib/notify.tsx'
import { useAction, useRefresh } from '../../../lib/query.ts'
import { runAll } from '../../../lib/run-all.ts'
import { aboutChannels } from '../about-channels.ts'
import classes from './test.module.css'
import { TestControls } from './test-controls.tsx'
import {
  failingChannels,
  type TestRow,
  type TestScope,
  type TestSettings,
  testRows,
  useTestMatrix,
  usualSettings,
} from './test-matrix.ts'
import { useTestMessages } from './test-messages.ts'
import { TestLine } from './test-row.tsx'

/** More rows than anybody reads; all of them are tested all the same. */
const mostShown = 200

/** Tests models of one channel or several, each result kept in sight. */
export const TestPanel = ({ channels, onClose }: { channels: readonly Channel[]; onClose: () => void }) => {
  const say = useTestMessages()
  const ui = useUiMessages()
  const refresh = useRefresh()
  const [search, setSearch] = useState('')
  const [onlyFailed, setOnlyFailed] = useState(false)
  const [scope, setScope] = useState<TestScope>(channels.length === 1 ? 'all' : 'default')
  const [settings, setSettings] = useState<TestSettings>(usualSettings)
  const matrix = useTestMatrix()
  const [off, setOff] = useState<readonly number[]>([])
  const { results } = matrix
  const rows = testRows(channels, scope, search)
  const states = rows.map(({ id }) => results.get(id))
  const failed = rows.filter(({ id }) => results.get(id)?.state === 'failed')
  const done = states.filter((result) => result?.state === 'ok' || result?.state === 'failed').length
  const longest = Math.max(1, ...states.map((result) => (result?.state === 'ok' ? result.seconds : 0)))
  const failing = failingChannels(rows, results).filter(
    ({ id, status }) => status === channelStatus.enabled && !off.includes(id),
  )

  const test = async (rows: readonly TestRow[]): Promise<void> => {
    await matrix.run(rows, settings)
    await refresh(calls.browseChannels, calls.searchChannels)
  }
  const promote = useAction(
    ({ channel, model }: TestRow) => call(calls.updateChannel, { body: { id: channel.id, test_model: model } }),
    { done: (_, { model }) => say('promoted', { model }), refresh: aboutChannels },
  )
  const disableAll = (some: typeof failing) =>
    runAll(some, ({ id }) => call(calls.updateChannel, { body: { id, status: channelStatus.disabled } }))
  const disable = useAction(disableAll, {
    done: (outcome) => (outcome.done.length > 0 ? say('disabledFailing', { count: outcome.done.length }) : undefined),
    onDone: (outcome) => {
      setOff([...off, ...outcome.done.map(({ id }) => id)])
      for (const { item, reason } of outcome.failed) notifyFailure(`${item.name}：${reason}`)
    },
    refresh: aboutChannels,
  })
  const [only] = channels
  // A user who filters for failures wants to see those among thousands, and all rows again once nothing has failed.
  const listed = onlyFailed && failed.length > 0 ? failed : rows
  const many = channels.length > 1
  return (
    <Modal
      opened
      onClose={() => {
        matrix.stop()
        onClose()
      }}
      size="xl"
      closeButtonProps={{ 'aria-label': ui('close') }}
      title={
        <strong className="strong">
          {many ? say('titleMany', { count: channels.length }) : `${say('title')} · ${only?.name ?? ''}`}
        </strong>
      }
    >
      <div className={classes.testHead}>
        <TextInput
          aria-label={say('search')}
          placeholder={say('search')}
          leftSection={<Icon name="search" size={14} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          data-autofocus
        />
        {many && (
          <SegmentedControl
            aria-label={say('scope')}
            value={scope}
            onChange={(value) => setScope(value as TestScope)}
            data={[
              { value: 'default', label: say('scopeDefault') },
              { value: 'all', label: say('scopeAll') },
            ]}
          />
        )}
        {matrix.busy ? (
          <Button leftSection={<Icon name="stop" size={14} />} onClick={matrix.stop}>
            {say('stop')}
          </Button>
        ) : (
          <Button variant="filled" disabled={rows.length === 0} onClick={() => void test(rows)}>
            {say('all')}
          </Button>
        )}
      </div>
      <TestControls settings={settings} onChange={(change) => setSettings({ ...settings, ...change })} />
      {(search.trim() !== '' || rows.length === 0) && (
        <p className="faint">{rows.length === 0 ? say('nothing') : say('found', { count: rows.length })}</p>
      )}
      {/* Results come in batches after the test has ended: what waits for its own counts, or the dialog would jump. */}
      {(results.size > 0 || matrix.busy) && (
        <div className={classes.testProgress} role="status">
          <progress value={done} max={Math.max(1, rows.length)} aria-label={say('all')} />
          <span className="num">{say('progress', { done, total: rows.length, failed: failed.length })}</span>
          {failed.length > 0 && failed.length < rows.length && (
            <Button size="compact-sm" aria-pressed={onlyFailed} onClick={() => setOnlyFailed(!onlyFailed)}>
              {say(onlyFailed ? 'showAll' : 'showFailed')}
            </Button>
          )}
          {!matrix.busy && failed.length > 0 && (
            <Button size="compact-sm" onClick={() => void test(failed)}>
              {say('retry', { count: failed.length })}
            </Button>
          )}
          {!matrix.busy && many && failing.length > 0 && (
            <Button size="compact-sm" color="bad" onClick={() => void disable.run(failing)}>
              {say('disableFailing', { count: failing.length })}
            </Button>
          )}
        </div>
      )}
      <ul className={classes.tests}>
        {listed.slice(0, mostShown).map((row) => (
          <TestLine
            key={row.id}
            row={row}
            result={results.get(row.id)}
            named={many}
            longest={longest}
            onTest={(row) => void test([row])}
            onPromote={(row) => void promote.run(row)}
          />
        ))}
      </ul>
      {listed.length > mostShown && <p className="faint">{say('more', { count: mostShown })}</p>}
    </Modal>
  )
}
