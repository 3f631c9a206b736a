import { mostReportMegabytes, reportFields, reportFiles } from 'virtual:contract'
import { Button, Checkbox, Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useRef, useState } from 'react'
import { MomentField } from '#web/components/date/moment-field.tsx'
import { Icon } from '#web/components/display/icon.tsx'
import { FormDrawer } from '#web/components/form/form-drawer.tsx'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import { call } from '#web/lib/api/api.ts'
import { calls, type DataOf, type previewReport, type ReportField, type ReportSource } from '#web/lib/api/contract.ts'
import { useAction } from '#web/lib/query.ts'
import { formatDate } from '#web/lib/text/format.ts'
import { useReconciliationMessages } from '../messages.ts'
import classes from '../reconciliation.module.css'
import { zoneText } from '../zone-text.ts'
import { useReportFormMessages } from './form-messages.ts'

type Preview = DataOf<typeof previewReport>
type Columns = Partial<Record<ReportField, string>>

interface ImportValues {
  source: string
  from: string
  until: string
  file: { name: string; text: string } | undefined
  columns: Columns
  includesCache: boolean
  /** Hours as text; empty for those of the source. */
  zone: string
}

const megabyte = 1024 * 1024
/** The header and the first rows of any export are within this many characters. */
const previewLength = 60_000
const usualDays = 7
const daySeconds = 86_400

const isFileKind = (source: ReportSource | undefined): boolean => reportFiles.some((kind) => kind === source?.kind)

const momentOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000
const daysAgo = (days: number): string => formatDate(Date.now() / 1000 - days * daySeconds, 'UTC')

/** The columns that were chosen before, where this file has them; what they seem to mean otherwise. */
const columnsFor = ({ header, columns }: Preview, source: ReportSource | undefined): Columns => {
  const before = Object.entries(source?.settings.columns ?? {}).filter(([, name]) => header.includes(name))
  return before.length > 0 ? Object.fromEntries(before) : columns
}

const [leastOffset, mostOffset] = [-12, 14] as const
const zones = Array.from({ length: mostOffset - leastOffset + 1 }, (_, index) => ({
  value: String(leastOffset + index),
  label: zoneText(leastOffset + index),
}))

const FirstRows = ({ preview }: { preview: Preview }) => {
  const say = useReportFormMessages()
  return (
    <ScrollFrame label={say('preview')} className={classes.preview}>
      <table>
        <thead>
          <tr>
            {preview.header.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((row) => (
            <tr key={row.join('\n')}>
              {preview.header.map((name, place) => (
                <td key={name}>{row[place]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}

const useImportForm = (sources: readonly ReportSource[]) => {
  const say = useReportFormMessages()
  const initialValues: ImportValues = {
    source: String(sources.at(-1)?.id ?? ''),
    from: daysAgo(usualDays),
    until: daysAgo(1),
    file: undefined,
    columns: {},
    includesCache: true,
    zone: '',
  }
  const sourceOf = ({ source }: ImportValues) => sources.find(({ id }) => String(id) === source)
  const needsDate = (text: string, values: ImportValues): string | null =>
    !isFileKind(sourceOf(values)) && Number.isNaN(momentOf(text)) ? say('dates') : null
  const form = useForm<ImportValues>({
    initialValues,
    validate: {
      from: needsDate,
      until: needsDate,
      file: (file, values) => (isFileKind(sourceOf(values)) && file === undefined ? say('fileNeeded') : null),
      columns: (columns, values) => (sourceOf(values)?.kind === 'csv' && !columns.day ? say('dayNeeded') : null),
    },
  })
  return { form, source: sourceOf(form.getValues()) }
}

type Form = ReturnType<typeof useImportForm>['form']

const ColumnFields = ({ form, preview }: { form: Form; preview: Preview }) => {
  const say = useReportFormMessages()
  const { columns, includesCache } = form.getValues()
  const options = preview.header.filter((name, place) => name !== '' && preview.header.indexOf(name) === place)
  const choose = (field: ReportField, name: string | null): void => {
    const { [field]: _, ...others } = columns
    form.setFieldValue('columns', name === null ? others : { ...others, [field]: name })
  }
  return (
    <>
      <FirstRows preview={preview} />
      <strong>{say('columns')}</strong>
      <div className={classes.pair}>
        {reportFields.map((field) => (
          <Select
            key={field}
            label={say(`field_${field}`)}
            placeholder={say('noColumn')}
            data={options}
            value={columns[field] ?? null}
            onChange={(name) => choose(field, name)}
            clearable={field !== 'day'}
            error={field === 'day' ? form.errors.columns : undefined}
          />
        ))}
      </div>
      <Checkbox
        label={say('includesCache')}
        checked={includesCache}
        onChange={(event) => form.setFieldValue('includesCache', event.currentTarget.checked)}
      />
    </>
  )
}

const FileFields = ({ form, source }: { form: Form; source: ReportSource | undefined }) => {
  const say = useReportFormMessages()
  const picker = useRef<HTMLInputElement>(null)
  const [preview, setPreview] = useState<Preview>()
  const read = useAction(async (file: File): Promise<void> => {
    if (file.size > mostReportMegabytes * megabyte) throw new Error(say('fileTooLarge'))
    const text = await file.text()
    form.setFieldValue('file', { name: file.name, text })
    form.clearFieldError('file')
    if (source?.kind !== 'csv') return
    const shown = await call(calls.previewReport, { body: { text: text.slice(0, previewLength) } })
    setPreview(shown)
    form.setFieldValue('columns', columnsFor(shown, source))
  })
  const { file } = form.getValues()
  const problem = read.error?.message ?? form.errors.file
  return (
    <>
      <div className={classes.file}>
        <input
          ref={picker}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          aria-label={say('file')}
          hidden
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? []
            event.currentTarget.value = ''
            if (chosen) void read.submit(chosen).catch(() => form.setFieldValue('file', undefined))
          }}
        />
        <div>
          <Button
            leftSection={<Icon name="document" size={14} />}
            loading={read.busy}
            onClick={() => picker.current?.click()}
          >
            {say('chooseFile')}
          </Button>{' '}
          {file?.name}
        </div>
        <p className={classes.note}>{say('fileHint')}</p>
        {problem !== undefined && (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        )}
      </div>
      {preview !== undefined && file !== undefined && <ColumnFields form={form} preview={preview} />}
    </>
  )
}

/** Imports a report: a period of an API, or a file. */
export const ImportForm = ({ sources, onClose }: { sources: readonly ReportSource[]; onClose: () => void }) => {
  const say = useReportFormMessages()
  const sayKind = useReconciliationMessages()
  const { form, source } = useImportForm(sources)
  const send = async (values: ImportValues): Promise<void> => {
    if (source === undefined) return
    const { file, columns, includesCache, from, until, zone } = values
    if (file !== undefined && source.kind === 'csv') {
      const utc_offset = zone === '' ? source.settings.utc_offset : Number(zone)
      const settings = { ...source.settings, utc_offset, columns, input_includes_cache: includesCache }
      await call(calls.saveReportSource, { body: { ...source, settings } })
    }
    const what = isFileKind(source) ? { file } : { from: momentOf(from), until: momentOf(until) }
    const utc_offset = zone === '' ? source.settings.utc_offset : Number(zone)
    await call(calls.importReport, { body: { source_id: source.id, utc_offset, ...what } })
  }
  const start = useAction(send, {
    done: say('started'),
    refresh: [calls.listReportImports, calls.listReportSources],
  })
  const options = sources.map(({ id, name, kind }) => ({
    value: String(id),
    label: `${name} – ${sayKind(`kind_${kind}`)}`,
  }))
  return (
    <FormDrawer
      title={sayKind('newImport')}
      form={form}
      submitLabel={say('import')}
      onClose={onClose}
      onSubmit={start.submit}
      width={620}
    >
      <Select label={say('source')} data={options} allowDeselect={false} {...form.getInputProps('source')} />
      {isFileKind(source) ? (
        <FileFields key={source?.id} form={form} source={source} />
      ) : (
        <>
          <div className={classes.pair}>
            <MomentField dayOnly label={say('from')} {...form.getInputProps('from')} />
            <MomentField dayOnly label={say('until')} {...form.getInputProps('until')} />
          </div>
          <p className={classes.note}>{say('period')}</p>
        </>
      )}
      <Select
        label={say('zone')}
        description={say('zoneHint')}
        data={zones}
        allowDeselect={false}
        value={form.getValues().zone || String(source?.settings.utc_offset ?? 0)}
        onChange={(zone) => form.setFieldValue('zone', zone ?? '')}
      />
    </FormDrawer>
  )
}
