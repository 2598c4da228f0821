// Written by `toolmem agent install opencode`. It hands OpenCode's events to
// `toolmem hook opencode` and never stops a call by a fault of its own.
import { spawn } from "node:child_process"
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs"
import { connect } from "node:net"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as zlib from "node:zlib"

// The second is the program that installed this file, where PATH has none.
const PROGRAMS = ["toolmem", join(homedir(), "@REMEMBERED@")]
const WORDS = ["hook", "opencode"@OPTIONS@]
const NOT_INSTALLED = "@NOT_INSTALLED@"
const YOURS = "@YOURS@"
// The program that asks a helper of the session about its tool calls, if hooks do.
const ASK = "@ASK@"
const CALLS = ["before_tool", "after_tool"]
const LATE_MS = 500
const PAUSE_MS = 60000
let late = 0 // answers in turn that were late
let paused = 0 // until then no helper is asked

const isFolder = (path) =>
  path && statSync(path, { throwIfNoEntry: false })?.isDirectory()

const socketOf = (session) => {
  const { XDG_RUNTIME_DIR, XDG_STATE_HOME, HOME } = process.env
  const places = [XDG_RUNTIME_DIR, XDG_STATE_HOME, HOME && join(HOME, ".local/state")]
  const folder = join(places.find(isFolder), "toolmem/helpers")
  const { uid, mode } = lstatSync(folder)
  if (uid !== process.geteuid() || mode & 0o077) throw new Error("not private")
  const key = [realpathSync(join(homedir(), ASK)), ...WORDS.slice(1), session]
  return join(folder, zlib.crc32(key.join("\0")).toString(16).padStart(8, "0"))
}

// The same exchange as in the program above; null where the hook has to answer.
const askHelper = (session, text) =>
  new Promise((resolve) => {
    try {
      const chunks = []
      const socket = connect(socketOf(session))
      const end = (answer) => {
        clearTimeout(timer)
        socket.destroy()
        resolve(answer)
      }
      const timer = setTimeout(() => {
        late += 1
        if (late >= 2) paused = Date.now() + PAUSE_MS
        end(null)
      }, LATE_MS)
      socket.on("error", () => end(null))
      socket.on("data", (chunk) => chunks.push(chunk))
      socket.on("end", () => {
        const answer = Buffer.concat(chunks)
        const at = answer.indexOf("\n") + 1
        const [code, out, err] = answer.toString("latin1", 0, at).split(" ").map(Number)
        if (!at || code || answer.length !== at + out + err) return end(null)
        late = 0
        end(out ? JSON.parse(answer.toString("utf8", at, at + out)) : {})
      })
      socket.end(`\n${text}`)
    } catch {
      resolve(null)
    }
  })

const run = (program, words, text, cwd) =>
  new Promise((resolve) => {
    let output = ""
    const done = () => {
      try {
        resolve(output.trim() ? JSON.parse(output) : {})
      } catch {
        resolve({})
      }
    }
    try {
      const child = spawn(program, words, { cwd, stdio: ["pipe", "pipe", "ignore"] })
      const timer = setTimeout(() => child.kill(), 5000)
      child.on("error", () => resolve(null)) // there is no such program
      child.stdout.on("data", (chunk) => (output += chunk))
      child.on("close", () => {
        clearTimeout(timer)
        done()
      })
      child.stdin.on("error", () => {})
      child.stdin.end(text)
    } catch {
      resolve(null)
    }
  })

const ask = async (event) => {
  const text = JSON.stringify(event)
  const words = [...WORDS]
  if (ASK && CALLS.includes(event.event) && zlib.crc32 && Date.now() > paused) {
    const answer = await askHelper(event.session, text)
    if (answer) return answer
    words.push(`--warm=${process.pid}-${zlib.crc32(text).toString(16)}`)
  } else if (ASK) {
    words.push("--warm")
  }
  for (const program of PROGRAMS) {
    const answer = await run(program, words, text, event.cwd)
    if (answer) return answer
  }
  if (event.event !== "session_start") return {}
  const message = unchecked(event.cwd)
  return message ? { message, context: message } : {}
}

// What is not checked without toolmem, if there is anything.
const unchecked = (folder) => {
  for (let at = folder; ; at = dirname(at)) {
    const names = [".toolmem.toml", "toolmem.toml"]
    if (names.some((name) => existsSync(join(at, name)))) return NOT_INSTALLED
    if (dirname(at) === at) break
  }
  if (WORDS.length > 2) return YOURS
  try {
    const base = process.env.XDG_CONFIG_HOME || join(homedir(), ".config")
    const text = readFileSync(join(base, "toolmem", "config.toml"), "utf8")
    const vault = /^vault\s*=\s*"(.+)"/m.exec(text)
    return vault && existsSync(vault[1]) ? YOURS : ""
  } catch {
    return ""
  }
}

export const Toolmem = async ({ client, directory }) => {
  const blocks = new Map() // session -> what its system prompt gets
  const waiting = new Map() // call -> what is added to its result
  const undone = new Map() // session -> what its last turn left undone
  const show = async (message) => {
    if (!message) return
    try {
      const body = { title: "toolmem", message, variant: "info" }
      await client.tui.showToast({ body })
    } catch {
      // There is no screen to show it on.
    }
  }
  const parents = new Map() // session -> the session that started it, or ""
  const isTyped = async (session) => {
    // A sub-agent's prompt is written by the agent above it.
    if (!parents.has(session)) {
      try {
        const found = await client.session.get({ path: { id: session } })
        if (found.data) parents.set(session, found.data.parentID ?? "")
      } catch {
        // It stays unknown, and counts as not typed.
      }
    }
    return parents.get(session) === ""
  }
  const start = async (session, source) => {
    if (blocks.has(session) && source === "startup") return
    if (!blocks.has(session)) blocks.set(session, "") // else the block so far stays
    const begun = { event: "session_start", session, source, cwd: directory }
    const answer = await ask(begun)
    blocks.set(session, answer.context ?? "")
    await show(answer.message)
  }
  return {
    "chat.message": async (input, output) => {
      const session = input.sessionID
      await start(session, "startup")
      const parts = output.parts ?? []
      const prompt = parts
        .filter((part) => part.type === "text" && !part.synthetic)
        .map((part) => part.text)
        .join("\n")
      const answer = await ask({
        event: "prompt",
        session,
        prompt,
        typed: await isTyped(session),
        run: process.argv.includes("run"),
        cwd: directory,
      })
      // The system prompt stays as it is: a change would cost the model's cache.
      const last = parts.findLast((part) => part.id)
      const added = [undone.get(session), answer.context].filter(Boolean).join("\n\n")
      if (added && last) {
        undone.delete(session)
        const { sessionID, messageID } = last
        const text = { type: "text", text: added, synthetic: true }
        parts.push({ id: `${last.id}t`, sessionID, messageID, ...text })
      }
      await show(answer.message)
    },
    "experimental.chat.system.transform": async (input, output) => {
      const block = blocks.get(input.sessionID)
      if (block) output.system.push(block)
    },
    "tool.execute.before": async (input, output) => {
      const answer = await ask({
        event: "before_tool",
        session: input.sessionID,
        call: input.callID,
        tool: input.tool,
        args: output.args,
        cwd: directory,
      })
      if (answer.verdict === "deny") throw new Error(answer.reason)
      if (answer.context) waiting.set(input.callID, answer.context)
    },
    "tool.execute.after": async (input, output) => {
      const exit = output.metadata?.exit
      const answer = await ask({
        event: "after_tool",
        session: input.sessionID,
        call: input.callID,
        tool: input.tool,
        args: input.args,
        exit,
        error: exit ? String(output.output ?? "").slice(0, 4000) : "",
        cwd: directory,
      })
      const added = [waiting.get(input.callID), answer.context].filter(Boolean)
      waiting.delete(input.callID)
      if (added.length) output.output = [output.output ?? "", ...added].join("\n\n")
    },
    event: async ({ event }) => {
      const session = event.properties?.sessionID
      const info = event.properties?.info
      if (event.type === "session.created") parents.set(info?.id, info?.parentID ?? "")
      if (event.type === "session.compacted") await start(session, "compact")
      if (event.type === "session.idle") {
        const answer = await ask({ event: "turn_end", session, cwd: directory })
        await show(answer.message)
        // OpenCode takes no answer here: it goes to the model with the next message.
        const { reason } = answer
        if (reason && (await isTyped(session))) undone.set(session, reason)
      }
      if (event.type === "session.deleted") {
        blocks.delete(info?.id)
        undone.delete(info?.id)
      }
    },
  }
}
