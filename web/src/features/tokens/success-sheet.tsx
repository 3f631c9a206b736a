import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { CopyText, useCopy } from '../../components/copy-text.tsx'
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
  const [kind, setKind] = useState<SnippetKind>('curl')
  const address = siteAddress(status.server_address, window.location.origin)
  return (
    <section className={classes.use}>
      <strong className="strong">{say('baseUrl')}</strong>
      <CopyText text={`${address}/v1`} name={say('baseUrl')} />
      <strong className="strong">{say('ready')}</strong>
      <SegmentedControl
        size="xs"
        aria-label={say('ready')}
        value={kind}
        onChange={(value) => setKind(value as SnippetKind)}
        data={snippetKinds.map((entry) => ({ value: entry.kind, label: entry.label }))}
      />
      <CodeBlock code={snippet(kind, { address, key: apiKey, model, ask: say('ask') })} language={kind} />
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
