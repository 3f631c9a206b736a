import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { CopyText, useCopy } from '../../components/copy-text.tsx'
import { Icon } from '../../components/icon.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { calls, type Token } from '../../lib/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useStatus } from '../../lib/status.ts'
import { useTokenWords } from './messages.ts'
import { type SnippetKind, siteAddress, snippet, snippetKinds } from './snippets.ts'
import classes from './tokens.module.css'

/** The keys that were made; `stopped` when one of several could not be. */
export interface Created {
  tokens: readonly Token[]
  stopped?: { index: number; reason: string }
}

const fallbackModel = 'gpt-4o-mini'

/** Lines of `name    sk-key`, the form in which clients of the mission's console copy keys. */
export const keyLines = (keys: readonly { name: string; key: string }[]): string =>
  keys.map(({ name, key }) => `${name}    ${key}`).join('\n')

const Snippets = ({ apiKey, model }: { apiKey: string; model: string }) => {
  const say = useTokenWords()
  const status = useStatus()
  const { copy, dialog } = useCopy()
  const [kind, setKind] = useState<SnippetKind>('curl')
  const address = siteAddress(status.server_address, window.location.origin)
  const code = snippet(kind, { address, key: apiKey, model, ask: say('ask') })
  return (
    <section>
      <strong className="strong">{say('baseUrl')}</strong>
      <div>
        <CopyText text={`${address}/v1`} name={say('baseUrl')} />
      </div>
      <strong className="strong">{say('ready')}</strong>
      <div className={classes.code}>
        <SegmentedControl
          size="xs"
          aria-label={say('ready')}
          value={kind}
          onChange={(value) => setKind(value as SnippetKind)}
          data={snippetKinds.map((entry) => ({ value: entry.kind, label: entry.label }))}
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame must be reachable by keyboard */}
        <pre tabIndex={0}>{code}</pre>
        <Tooltip label={say('copyAll')}>
          <ActionIcon data-copy aria-label={say('copyAll')} onClick={() => void copy(code, { secret: true })}>
            <Icon name="copy" size={14} />
          </ActionIcon>
        </Tooltip>
      </div>
      {dialog}
    </section>
  )
}

/** New keys, ready to be copied and used. */
export const SuccessSheet = ({ created, onClose }: { created: Created; onClose: () => void }) => {
  const say = useTokenWords()
  const { copy, dialog } = useCopy()
  const { data: models } = useEndpoint(calls.getOwnModels)
  const keys = created.tokens.map((token) => ({ ...token, key: `sk-${token.key}` }))
  const [first] = keys
  const limited = first?.model_limits_enabled ? first.model_limits.split(',')[0] : undefined
  const model = limited || (models?.includes(fallbackModel) ? fallbackModel : models?.[0]) || fallbackModel
  return (
    <Sheet
      opened
      onClose={onClose}
      title={say('successTitle')}
      subtitle={say('successMany', { count: keys.length })}
      footer={
        <>
          {keys.length > 1 && (
            <Button onClick={() => void copy(keyLines(keys), { secret: true })}>{say('copyAll')}</Button>
          )}
          <Button variant="filled" onClick={onClose} ml="auto">
            {say('done')}
          </Button>
        </>
      }
    >
      <div className={classes.success}>
        {created.stopped && (
          <p className={classes.failure} role="alert">
            {say('stoppedEarly', created.stopped)}
          </p>
        )}
        <p className="muted">{say('successText')}</p>
        <ul className={classes.keys}>
          {keys.map((token) => (
            <li key={token.id}>
              <small>{token.name}</small>
              <CopyText text={token.key} name={token.name} secret />
            </li>
          ))}
        </ul>
        {first && <Snippets apiKey={first.key} model={model} />}
      </div>
      {dialog}
    </Sheet>
  )
}
