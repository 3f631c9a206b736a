import { TaskExample } from '#web/components/task-log/task-example.tsx'
import { useSiteAddress } from '#web/lib/api/base-url.ts'

const request =
  '{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{"model":"gpt-4o","messages":[{"role":"user","content":"Hello"}]}}'

const exampleFor = (address: string): string => `echo '${request}' > requests.jsonl

FILE=$(curl -s ${address}/v1/files -H "Authorization: Bearer $API_KEY" \\
  -F purpose=batch -F file=@requests.jsonl | jq -r .id)

curl ${address}/v1/batches -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"input_file_id":"'$FILE'","endpoint":"/v1/chat/completions","completion_window":"24h"}'`

/** The first batch, with curl. */
export const BatchExample = () => <TaskExample code={exampleFor(useSiteAddress())} />
