import { importProducts } from 'virtual:contract'
import { Button, Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useRef, useState } from 'react'
import { ConfirmAction } from '#web/components/form/confirm-action.tsx'
import { Failure } from '#web/components/form/failure.tsx'
import { call } from '#web/lib/api/api.ts'
import { calls } from '#web/lib/api/contract.ts'
import { useRefresh } from '#web/lib/query.ts'
import { useSubmit } from '#web/lib/submit.ts'
import { useSiteImportMessages } from './messages.ts'
import classes from './site-imports.module.css'
import { uploadFile } from './upload.ts'

type Product = (typeof importProducts)[number]

interface Values {
  product: Product
  source: 'server' | 'file'
  dsn: string
  file: File | undefined
  saltKey: string
  site: string
  logs: boolean
}

const megabyte = 1024 * 1024
const inMegabytes = (bytes: number): string => (bytes / megabyte).toFixed(1)

const useImport = () => {
  const refresh = useRefresh()
  const [sent, setSent] = useState<number>()
  const uploaded = useRef<{ file: File; id: string }>(undefined)

  const idOf = async (file: File): Promise<string> => {
    if (uploaded.current?.file === file) return uploaded.current.id
    const id = await uploadFile(file, setSent).finally(() => setSent(undefined))
    uploaded.current = { file, id }
    return id
  }

  const submission = useSubmit(async ({ product, source, dsn, file, saltKey, site, logs }: Values, dryRun: boolean) => {
    const upload = source === 'file' && file !== undefined ? await idOf(file) : ''
    const place = source === 'file' ? { upload } : { dsn: dsn.trim() }
    const body = { product, ...place, site, logs, salt_key: saltKey, dry_run: dryRun }
    const state = await call(calls.startSiteImport, { body })
    if (!dryRun) uploaded.current = undefined
    await refresh(calls.getSiteImport)
    return state
  })
  return { ...submission, sent }
}

/** Which database is moved, and how. */
export const ImportForm = ({ isRunning }: { isRunning: boolean }) => {
  const say = useSiteImportMessages()
  const picker = useRef<HTMLInputElement>(null)
  const { submit, busy, error, sent } = useImport()
  const form = useForm<Values>({
    initialValues: {
      product: 'new-api',
      source: 'server',
      dsn: '',
      file: undefined,
      saltKey: '',
      site: '',
      logs: false,
    },
    validate: {
      dsn: (dsn, { source }) => (source === 'server' && dsn.trim() === '' ? say('needed') : null),
      file: (file, { source }) => (source === 'file' && file === undefined ? say('needFile') : null),
    },
  })
  const values = form.getValues()
  const [asked, setAsked] = useState(false)
  const askToRun = async (): Promise<void> => setAsked(!(await form.validate()).hasErrors)
  return (
    <form
      className={`panel ${classes.form}`}
      onSubmit={form.onSubmit(() => void submit(values, true).catch(() => undefined))}
    >
      <NativeSelect
        label={say('product')}
        data={[...importProducts]}
        value={values.product}
        onChange={({ currentTarget }) => form.setFieldValue('product', currentTarget.value as Product)}
      />
      <NativeSelect
        label={say('source')}
        data={(['server', 'file'] as const).map((value) => ({ value, label: say(`source_${value}`) }))}
        value={values.source}
        onChange={({ currentTarget }) =>
          form.setFieldValue('source', currentTarget.value === 'file' ? 'file' : 'server')
        }
      />
      {values.source === 'server' ? (
        <PasswordInput
          label={say('dsn')}
          description={say('dsnHelp')}
          placeholder="mysql://user:password@host:3306/name"
          autoComplete="off"
          {...form.getInputProps('dsn')}
        />
      ) : (
        <div className={classes.file}>
          <input
            ref={picker}
            type="file"
            aria-label={say('file')}
            hidden
            onChange={(event) => form.setFieldValue('file', event.currentTarget.files?.[0])}
          />
          <Button onClick={() => picker.current?.click()}>{say('chooseFile')}</Button>
          <span>{values.file?.name ?? say('fileNone')}</span>
          <p className={classes.note}>{form.errors.file ?? say('fileHelp')}</p>
        </div>
      )}
      {values.product === 'litellm' && (
        <PasswordInput
          label={say('saltKey')}
          description={say('saltKeyHelp')}
          autoComplete="off"
          {...form.getInputProps('saltKey')}
        />
      )}
      <TextInput label={say('site')} description={say('siteHelp')} {...form.getInputProps('site')} />
      <Checkbox label={say('logs')} {...form.getInputProps('logs', { type: 'checkbox' })} />
      {sent !== undefined && values.file !== undefined && (
        <p role="status" className="num">
          {say('uploading', { done: inMegabytes(sent), total: inMegabytes(values.file.size) })}
        </p>
      )}
      {error !== undefined && <Failure error={error} />}
      <div className={classes.actions}>
        <Button type="submit" loading={busy} disabled={isRunning}>
          {say('dryRun')}
        </Button>
        <Button variant="filled" disabled={busy || isRunning} onClick={() => void askToRun()}>
          {say('run')}
        </Button>
      </div>
      <ConfirmAction
        opened={asked}
        onClose={() => setAsked(false)}
        onConfirm={() => submit(values, false)}
        title={say('runAsk')}
        confirmLabel={say('runNow')}
        effect={say('runText')}
      />
    </form>
  )
}
