import { Button, Checkbox, MultiSelect, NativeSelect, NumberInput, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import {
  calls,
  longestModelTag,
  longestModelText,
  type ModelCard,
  modelAbilities,
  modelInputs,
  modelKinds,
  mostModelTags,
} from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { useCatalogueMessages } from '../catalogue/messages.ts'
import { kindWord } from '../catalogue/words.ts'
import { useModelPageMessages } from './messages.ts'

const isDay = (text: string): boolean => /^(\d{4}(-\d\d(-\d\d)?)?)?$/.test(text)
const mostTokens = 1_000_000_000

/** Operators' facts about a model, which replace the built-in ones. */
export const CardEditor = ({ card, onClose }: { card: ModelCard; onClose: () => void }) => {
  const say = useModelPageMessages()
  const sayCatalogue = useCatalogueMessages()
  const { model, edited, endpoints: _, retires: __, replaced_by: ___, ...initialValues } = card
  const form = useForm({
    initialValues,
    validate: { knowledge: (text) => (isDay(text.trim()) ? null : say('badDay')) },
  })
  const save = useAction(calls.saveModelCard, { refresh: [calls.listModelCards], done: say('saved') })
  const reset = useAction(calls.resetModelCard, {
    refresh: [calls.listModelCards],
    done: say('resetDone'),
    onDone: onClose,
  })
  return (
    <FormDrawer
      title={say('title', { name: model })}
      subtitle={say('editText')}
      form={form}
      onSubmit={(values) =>
        save.submit({ body: { model, ...values, knowledge: values.knowledge.trim(), maker: values.maker.trim() } })
      }
      onClose={onClose}
      footer={
        edited && (
          <Button
            variant="subtle"
            color="bad"
            loading={reset.busy}
            onClick={() => void reset.run({ query: { model } })}
          >
            {say('reset')}
          </Button>
        )
      }
    >
      <TextInput label={say('maker')} maxLength={80} data-autofocus {...form.getInputProps('maker')} />
      <Textarea
        label={say('description')}
        maxLength={longestModelText}
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('description')}
      />
      <NativeSelect
        label={say('madeFor')}
        data={modelKinds.map((kind) => ({ value: kind, label: kindWord(kind, sayCatalogue) || say('unset') }))}
        {...form.getInputProps('kind')}
      />
      <MultiSelect
        label={say('takes')}
        data={modelInputs.map((value) => ({ value, label: sayCatalogue(value) }))}
        {...form.getInputProps('takes')}
      />
      <MultiSelect
        label={say('can')}
        data={modelAbilities.map((value) => ({ value, label: sayCatalogue(value) }))}
        {...form.getInputProps('can')}
      />
      <NumberInput
        label={say('contextTokens')}
        min={0}
        max={mostTokens}
        allowDecimal={false}
        thousandSeparator=","
        {...form.getInputProps('context')}
      />
      <NumberInput
        label={say('outputTokens')}
        min={0}
        max={mostTokens}
        allowDecimal={false}
        thousandSeparator=","
        {...form.getInputProps('max_output')}
      />
      <TextInput
        label={say('knowledge')}
        description={say('knowledgeHint')}
        maxLength={10}
        {...form.getInputProps('knowledge')}
      />
      <TagsInput
        label={say('tags')}
        maxTags={mostModelTags}
        {...form.getInputProps('tags')}
        onChange={(tags) =>
          form.setFieldValue(
            'tags',
            tags.map((tag) => tag.slice(0, longestModelTag)),
          )
        }
      />
      <Checkbox label={say('hide')} {...form.getInputProps('hidden', { type: 'checkbox' })} />
    </FormDrawer>
  )
}
