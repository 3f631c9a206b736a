import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../components/code-block.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { Icon } from '../../components/icon.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { calls, type Token } from '../../lib/contract.ts'
import { notifyFailure } from '../../lib/notify.tsx'
import { useEndpoint } from '../../lib/query.ts'
import { useStatus } from '../../lib/status.ts'
import { revealKey } from './key-cell.tsx'
import { useTokenWords } from './messages.ts'
import { type SnippetGroup, siteAddress, snippets } from './snippets.ts'
import classes from './tokens.module.css'

const fallbackModel = 'gpt-4o-mini'

/** A model that the key may call, a small one where there is. */
const useModelOf = (token: Token): string => {
  const { data: models } = useEndpoint(calls.getOwnModels)
  const [limited] = token.model_limits_enabled ? token.model_limits.split(',') : []
  return limited || (models?.includes(fallbackModel) ? fallbackModel : models?.[0]) || fallbackModel
}

/** The address of the site and first calls with this key, in several dialects and for several programs. */
export const Snippets = ({ token, apiKey }: { token: Token; apiKey: string }) => {
  const say = useTokenWords()
  const status = useStatus()
  const [group, setGroup] = useState<SnippetGroup>('openai')
  const [chosen, setChosen] = useState('curl')
  const model = useModelOf(token)
  const address = siteAddress(status.server_address, window.location.origin)
  const base = group === 'anthropic' || group === 'gemini' ? address : `${address}/v1`
  const list = snippets[group]
  const shown = list.find(({ id }) => id === chosen) ?? list[0]
  const groups: readonly { value: SnippetGroup; label: string }[] = [
    { value: 'openai', label: 'OpenAI' },
    { value: 'anthropic', label: 'Anthropic' },
    { value: 'gemini', label: 'Gemini' },
    { value: 'clients', label: say('clients') },
  ]
  return (
    <section className={classes.use}>
      <strong className="strong">{say('ready')}</strong>
      <SegmentedControl
        size="xs"
        aria-label={say('dialect')}
        value={group}
        onChange={(value) => setGroup(value as SnippetGroup)}
        data={[...groups]}
      />
      <strong className="strong">{say('baseUrl')}</strong>
      <CopyText text={base} name={say('baseUrl')} />
      <fieldset className={classes.quick} aria-label={say('ready')}>
        {list.map(({ id, label }) => (
          <Button
            key={id}
            size="compact-xs"
            variant={id === shown?.id ? 'light' : 'default'}
            aria-pressed={id === shown?.id}
            onClick={() => setChosen(id)}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      {shown && (
        <CodeBlock code={shown.write({ address, key: apiKey, model, ask: say('ask') })} language={shown.language} />
      )}
    </section>
  )
}

/** How to call with a key; the key stays masked until it is asked for. */
export const UseToken = ({ token, onClose }: { token: Token; onClose: () => void }) => {
  const say = useTokenWords()
  const [key, setKey] = useState<string>()
  const [busy, setBusy] = useState(false)
  const show = async (): Promise<void> => {
    setBusy(true)
    try {
      setKey(await revealKey(token.id))
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Sheet opened onClose={onClose} title={say('useTitle')} subtitle={token.name}>
      <div className={classes.success}>
        {key === undefined ? (
          <p className={classes.masked}>
            <span className="muted">{say('useMasked')}</span>
            <Button leftSection={<Icon name="eye" size={14} />} loading={busy} onClick={() => void show()}>
              {say('useReveal')}
            </Button>
          </p>
        ) : (
          <CopyText text={key} name={token.name} secret />
        )}
        <Snippets token={token} apiKey={key ?? `sk-${token.key}`} />
      </div>
    </Sheet>
  )
}
