import { Checkbox, PasswordInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { CodeBlock } from '../../../components/markdown/code-block.tsx'
import classes from '../personal.module.css'
import type { NoticeValues } from '../setting.ts'
import { useNoticeMessages } from './notice-messages.ts'

/** The body of a webhook, explained and by example. */
const BodyShape = () => {
  const say = useNoticeMessages()
  // The placeholder is part of the text that is shown.
  const value = '{{value}}'
  const shape = {
    type: say('shapeType'),
    title: say('shapeTitle'),
    content: say('shapeContent', { value }),
    values: ['value1', 'value2', say('shapeValues', { value })],
    timestamp: say('shapeTime'),
  }
  const example = {
    type: 'quota_exceed',
    title: say('exampleTitle'),
    content: say('exampleContent', { value }),
    values: ['$0.99'],
    timestamp: 1739950503,
  }
  return (
    <details className={classes.shape}>
      <summary>{say('shape')}</summary>
      <CodeBlock code={JSON.stringify(shape, null, 2)} language="JSON" />
      <p className="muted">{say('shapeExample')}</p>
      <CodeBlock code={JSON.stringify(example, null, 2)} language="JSON" />
    </details>
  )
}

/** The webhook's address and its signing secret. The stored secret is never shown, only whether there is one. */
export const WebhookFields = ({ form, hasSecret }: { form: UseFormReturnType<NoticeValues>; hasSecret: boolean }) => {
  const say = useNoticeMessages()
  const { removeSecret } = form.getValues()
  return (
    <>
      <TextInput
        type="url"
        label={say('url')}
        description={say('urlHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="https://example.com/webhook"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('url')}
      />
      <PasswordInput
        label={say('secret')}
        description={say('secretHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={hasSecret ? say('secretKept') : ''}
        autoComplete="new-password"
        disabled={removeSecret}
        {...form.getInputProps('secret')}
      />
      {hasSecret && (
        <Checkbox label={say('secretRemove')} {...form.getInputProps('removeSecret', { type: 'checkbox' })} />
      )}
      <BodyShape />
    </>
  )
}
