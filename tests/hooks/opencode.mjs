// Plays OpenCode's side: loads the plugin as OpenCode does and calls its hooks in
// the order of a session. Prints what the model, the tools and the user would see.
import { pathToFileURL } from "node:url"

const [plugin, directory] = process.argv.slice(2)
const { Toolmem } = await import(pathToFileURL(plugin).href)
const sessionID = "ses_1"
const said = { toasts: [] }
const tui = {
  showToast: async ({ body }) => {
    said.toasts.push(body)
    // Without a screen it fails, and nobody is to notice.
    if (said.toasts.length > 1) throw new Error("no screen")
  },
}
const parents = { ses_1: undefined, ses_sub: "ses_1" }
const session = {
  get: async ({ path: { id } }) => {
    if (!(id in parents)) throw new Error("no such session")
    return { data: { id, parentID: parents[id] } }
  },
}
const hooks = await Toolmem({ client: { tui, session }, directory })

const say = async (text, sessionID = "ses_1") => {
  const parts = [
    { id: "prt_1", type: "text", text },
    { type: "text", text: "never use sudo", synthetic: true },
    { type: "file", url: "file:///x" },
  ]
  const typed = parts.length
  await hooks["chat.message"]({ sessionID }, { message: {}, parts })
  return parts.slice(typed)
}
const system = async () => {
  const output = { system: ["You are an agent."] }
  await hooks["experimental.chat.system.transform"]({ sessionID }, output)
  return output.system
}
let calls = 0
const call = async (tool, args, exit = 0) => {
  const callID = `call_${++calls}`
  try {
    await hooks["tool.execute.before"]({ tool, sessionID, callID }, { args })
  } catch (error) {
    return `denied: ${error.message}`
  }
  const output = { title: tool, output: exit ? "boom" : "done", metadata: { exit } }
  await hooks["tool.execute.after"]({ tool, sessionID, callID, args }, output)
  return output.output
}
const event = (type, properties) => hooks.event({ event: { type, properties } })

said.added = await say("Never email Sarah at sarah@example.com.")
said.system = await system()
said.denied = await call("send_email", { to: "sarah@example.com" })
said.first = await call("bash", { command: "pytest -q" }, 1)
said.second = await call("bash", { command: "pytest -q" }, 1)
said.worked = await call("bash", { command: "uv run pytest -q" })
await call("edit", { filePath: `${directory}/src/a.py`, oldString: "a", newString: "b" })
await event("session.idle", { sessionID })
said.undone = [await say("please go on"), await say("and on")]
said.delegated = []
for (const id of ["ses_sub", "ses_unknown"])
  said.delegated.push(...(await say("You can email Sarah again.", id)))
await event("session.created", { info: { id: "ses_new", parentID: "ses_1" } })
said.delegated.push(...(await say("You can email Sarah again.", "ses_new")))
said.still = await call("send_email", { to: "sarah@example.com" })
said.third = await call("bash", { command: "pytest -q" }, 1)
await say("You can email Sarah again.")
said.allowed = await call("send_email", { to: "sarah@example.com" })
const compacting = event("session.compacted", { sessionID })
said.compacting = await system()
await compacting
said.compacted = await system()
await event("session.deleted", { info: { id: sessionID } })
said.deleted = await system()
console.log(JSON.stringify(said))
