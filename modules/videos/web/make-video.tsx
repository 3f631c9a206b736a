import { Autocomplete, NumberInput, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useQuotaText } from '#web/components/display/quota.tsx'
import { FormDrawer } from '#web/components/form/form-drawer.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { errorText } from '#web/lib/text/error-text.ts'
import { makeVideo, priceOf, type VideoOrder } from './ask-gateway.ts'
import { useVideoMessages } from './messages.ts'

/** Fields of the form; `seconds` is empty where the model decides. */
export interface VideoFields {
  readonly model: string
  readonly prompt: string
  readonly seconds: number | ''
  readonly size: string
}

const orderOf = ({ model, prompt, seconds, size }: VideoFields): VideoOrder => ({
  model: model.trim(),
  prompt: prompt.trim(),
  ...(seconds === '' ? {} : { seconds }),
  ...(size.trim() === '' ? {} : { size: size.trim() }),
})

const typingMs = 400
const videoNames = /sora|veo|video|wan|hailuo|seedance|vidu|kling/i

/** Price of the video before it is made. */
const PriceBefore = ({ fields }: { fields: VideoFields }) => {
  const say = useVideoMessages()
  const quotaText = useQuotaText()
  const [settled] = useDebouncedValue(fields, typingMs)
  // The price is the same whatever the prompt says.
  const order = { ...orderOf(settled), prompt: 'x' }
  const { data, error } = useQuery({
    queryKey: ['video price', order.model, order.seconds, order.size],
    queryFn: ({ signal }) => priceOf(order, signal),
    enabled: order.model !== '',
  })
  if (order.model === '') return null
  if (error)
    return (
      <span className="muted" role="status">
        {errorText(error)}
      </span>
    )
  return (
    <span className="num" aria-live="polite">
      {data && say('priceBefore', { amount: quotaText(data.quota), seconds: data.seconds, size: data.size })}
    </span>
  )
}

/** Makes a video, and shows its price before. */
export const MakeVideo = ({ initial, onClose }: { initial: VideoFields; onClose: () => void }) => {
  const say = useVideoMessages()
  const models = useEndpoint(calls.getOwnModels)
  const make = useAction((fields: VideoFields) => makeVideo(orderOf(fields)), {
    done: say('begun'),
    refresh: [calls.browseVideos, calls.browseOwnVideos],
  })
  const form = useForm<VideoFields>({
    initialValues: initial,
    validate: {
      model: (value) => (value.trim() === '' ? say('model') : null),
      prompt: (value) => (value.trim() === '' ? say('prompt') : null),
    },
  })
  return (
    <FormDrawer
      title={say('make')}
      form={form}
      submitLabel={say('makeIt')}
      onClose={onClose}
      onSubmit={(fields) => make.submit(fields)}
    >
      <Autocomplete
        label={say('model')}
        required
        data={(models.data ?? []).filter((model) => videoNames.test(model))}
        {...form.getInputProps('model')}
      />
      <Textarea label={say('prompt')} required autosize minRows={4} maxRows={12} {...form.getInputProps('prompt')} />
      <NumberInput
        label={say('seconds')}
        placeholder={say('modelsDefault')}
        min={1}
        max={600}
        {...form.getInputProps('seconds')}
      />
      <TextInput
        label={say('size')}
        description={say('sizeHint')}
        placeholder={say('modelsDefault')}
        {...form.getInputProps('size')}
      />
      <PriceBefore fields={form.values} />
    </FormDrawer>
  )
}
