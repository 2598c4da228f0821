// Another client of the protocol: the TypeScript SDK, driven by a list of steps.
//   node client.cjs MODULES COMMAND ARGUMENT…   (steps as JSON on standard input)
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { readFileSync } = require("node:fs");

const [modules, command, ...args] = process.argv.slice(2);
const load = createRequire(join(modules, "any.js"));
const { Client } = load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = load("@modelcontextprotocol/sdk/client/stdio.js");

async function main() {
  const steps = JSON.parse(readFileSync(0, "utf8"));
  const transport = new StdioClientTransport({ command, args, env: process.env });
  const client = new Client({ name: "a test", version: "1" });
  await client.connect(transport);
  const answers = {
    tools: await client.listTools(), // its schemas check what comes next
    resources: await client.listResources(),
    templates: await client.listResourceTemplates(),
    prompts: await client.listPrompts(),
    block: await client.readResource({ uri: "toolmem://prompt" }),
    prompt: await client.getPrompt({ name: "block", arguments: { project: "mech-fighters" } }),
    called: [],
  };
  for (const [name, given] of steps) {
    answers.called.push(await client.callTool({ name, arguments: given }));
  }
  await client.close();
  process.stdout.write(JSON.stringify(answers));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
