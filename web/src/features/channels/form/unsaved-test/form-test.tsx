import { Autocomplete, Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../../components/display/icon.tsx'
import { type Channel, calls, type DataOf, type testUnsavedChannel } from '../../../../lib/api/contract.ts'
import { defineMessages } from '../../../../lib/i18n.ts'
import { useAction } from '../../../../lib/query.ts'
import { errorText } from '../../../../lib/text/error-text.ts'
import { bodyOf, type ChannelValues, changesOf } from '../fields.ts'
import { Section, useChannelForm } from '../form-parts.tsx'
import classes from './form-test.module.css'

/** Texts of the test in the channel form. */
const useFormTestMessages = defineMessages('channel-form-test', {
  zh: {
    title: '测试',
    model: '测试的模型',
    test: '测试',
    hint: '按当前填写的内容测试，不会保存',
    answered: '{{model}} 在 {{seconds}} 秒内应答',
    failed: '{{model}} 测试失败（{{seconds}} 秒）。',
  },
  en: {
    title: 'Test',
    model: 'Model to test',
    test: 'Test',
    hint: 'Tests what the form holds now; nothing is saved',
    answered: '{{model}} answered in {{seconds}} s',
    failed: '{{model}} failed after {{seconds}} s.',
  },
})

type Tested = DataOf<typeof testUnsavedChannel>

/** How a test ended, and the form's content that it was made with. */
type Outcome = { readonly of: string; readonly took: number } & (
  | { readonly answer: Tested }
  | { readonly problem: string }
)

/** Values that a test depends on: others may change without making its result an old one. */
const testedPart = (values: ChannelValues): string => {
  const { name: _name, tag: _tag, priority: _priority, weight: _weight, groups: _groups, ...rest } = values
  return JSON.stringify(rest)
}

const channelIn = (channel: Channel | undefined, values: ChannelValues) => {
  if (channel) return { id: channel.id, channel: changesOf(channel, values) }
  const { keys_together: _, ...body } = bodyOf(values)
  return { channel: body }
}

const seconds = (value: number): string => value.toFixed(value < 10 ? 1 : 0)

const OutcomeLine = ({ outcome, model }: { outcome: Outcome; model: string }) => {
  const say = useFormTestMessages()
  if ('problem' in outcome)
    return (
      <p role="alert" className={classes.outcome} data-failed>
        <Icon name="warning" size={15} />
        <span>
          <strong>{say('failed', { model, seconds: seconds(outcome.took) })}</strong> {outcome.problem}
        </span>
      </p>
    )
  const { answer } = outcome
  return (
    <p role="status" className={classes.outcome}>
      <Icon name="check" size={15} />
      <span>
        <strong>{say('answered', { model, seconds: seconds(answer.time) })}</strong>
        {answer.answer !== '' && <q>{answer.answer}</q>}
      </span>
    </p>
  )
}

/** Tests a model with what the form holds, before anything is saved, and shows in place how it was answered. */
export const FormTest = ({ channel }: { channel: Channel | undefined }) => {
  const say = useFormTestMessages()
  const { form } = useChannelForm()
  const values = form.getValues()
  const [typed, setTyped] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const model = typed.trim() || values.testModel.trim() || values.models[0] || ''
  const test = useAction(calls.testUnsavedChannel)
  const current = `${model}\n${testedPart(values)}`
  const run = async (): Promise<void> => {
    const began = performance.now()
    const took = (): number => (performance.now() - began) / 1000
    setOutcome(undefined)
    try {
      const answer = await test.submit({ body: { ...channelIn(channel, values), model } })
      setOutcome({ of: current, took: took(), answer })
    } catch (error) {
      setOutcome({ of: current, took: took(), problem: errorText(error) })
    }
  }
  return (
    <Section title={say('title')}>
      <div className={classes.row}>
        <Autocomplete
          aria-label={say('model')}
          placeholder={model || say('model')}
          data={values.models}
          limit={20}
          value={typed}
          onChange={setTyped}
          classNames={{ input: 'mono' }}
        />
        <Button
          loading={test.busy}
          disabled={model === ''}
          leftSection={<Icon name="send" size={14} />}
          onClick={() => void run()}
        >
          {say('test')}
        </Button>
      </div>
      <p className={classes.hint}>{say('hint')}</p>
      {outcome?.of === current && <OutcomeLine outcome={outcome} model={model} />}
    </Section>
  )
}
