import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useSiteAddress } from '../../lib/api/base-url.ts'
import type { ModelKind } from '../../lib/api/contract.ts'
import { CopyText } from '../copy/copy-text.tsx'
import { CodeBlock } from '../markdown/code-block.tsx'
import classes from './first-calls.module.css'
import { mediaSnippets } from './media-snippets.ts'
import { useFirstCallMessages } from './messages.ts'
import { type SnippetGroup, snippets } from './snippets.ts'

interface FirstCallsProps {
  model: string
  apiKey: string
  /** Empty where a heading stands above it. */
  title?: string
  /** Purpose of the model; a conversation if absent. */
  kind?: ModelKind
  onCopyAddress?: () => void
}

/** The address of the site and first calls of a model with a key, in several dialects and for several programs. */
export const FirstCalls = ({ model, apiKey, title, kind = 'chat', onCopyAddress }: FirstCallsProps) => {
  const say = useFirstCallMessages()
  const [group, setGroup] = useState<SnippetGroup>('openai')
  const [chosen, setChosen] = useState('curl')
  const address = useSiteAddress()
  const special = mediaSnippets(kind)
  const base = !special && (group === 'anthropic' || group === 'gemini') ? address : `${address}/v1`
  const list = special ?? snippets[group]
  const shown = list.find(({ id }) => id === chosen) ?? list[0]
  const groups: readonly { value: SnippetGroup; label: string }[] = [
    { value: 'openai', label: 'OpenAI' },
    { value: 'anthropic', label: 'Anthropic' },
    { value: 'gemini', label: 'Gemini' },
    { value: 'clients', label: say('clients') },
  ]
  return (
    <section className={classes.calls}>
      {title !== '' && <strong className="strong">{title ?? say('ready')}</strong>}
      {!special && (
        <SegmentedControl
          size="xs"
          aria-label={say('dialect')}
          value={group}
          onChange={(value) => setGroup(value as SnippetGroup)}
          data={[...groups]}
        />
      )}
      <strong className="strong">{say('baseUrl')}</strong>
      <CopyText text={base} name={say('baseUrl')} onCopy={onCopyAddress} />
      <fieldset className={classes.programs} aria-label={title || say('ready')}>
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
